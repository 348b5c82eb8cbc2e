import type { z } from 'zod'
import type { Actor, PageRef } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { execute } from '../../kernel/execute.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { mayDo, reachOfToken } from '../../kernel/permissions.ts'
import type { Services } from '../../kernel/services.ts'
import { splitInput } from '../operation-input.ts'

/** What a tool works with: the page and the token of the caller. */
export interface ToolContext {
  services: Services
  page: PageRef
  actor: Actor
  requestId: string
  /** How long a tool waits for a process. */
  patience: { turnMs: number; planMs: number }
}

/** Something that a language model can call. All tools together stay small, because each conversation begins with their list. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  /** `write`: only for tokens that may change something. */
  effect: 'read' | 'write'
  input: I
  run(ctx: ToolContext, input: z.output<I>): Promise<object>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools forgets what each one takes; the caller parses it.
export type AnyTool = Tool<any>

export const tool = <I extends z.ZodObject>(definition: Tool<I>): Tool<I> => definition

/** Runs an operation with the permissions of the token; `id` in the input names its record. */
export async function call<O extends AnyOperation>(
  ctx: ToolContext,
  operation: O,
  given: Record<string, unknown> = {},
): Promise<z.output<O['output']>> {
  const { services, page, actor, requestId } = ctx
  const { input, ref } = splitInput(operation, given)
  if (operation.subject && !operation.subject.singleton && !ref) {
    throw invalid([{ path: 'id', message: `is required: the id of the ${inWords(operation.subject.kind)}` }])
  }
  const { output } = await execute(services, operation, { page, actor, requestId, input, ...(ref ? { ref } : {}) })
  return output as z.output<O['output']>
}

export const inWords = (kind: string): string => kind.replaceAll('_', ' ')

/** Whether the token may run the operation. */
export const isPermitted = ({ actor }: Pick<ToolContext, 'actor'>, { area, permission }: AnyOperation): boolean =>
  permission === 'public' || (actor.kind !== 'anonymous' && mayDo(actor, area, permission))

/** Whether the token may change something on the page. */
export const mayWrite = (actor: Actor): boolean =>
  actor.kind !== 'anonymous' && Object.values(reachOfToken(actor)).some((level) => level !== 'read')

/** The part that the token may read, or undefined. */
export async function ifPermitted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') return undefined
    throw error
  }
}
