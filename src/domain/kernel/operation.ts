import type { z } from 'zod'
import type { Context, PageRef } from './context.ts'
import type { Area, Level } from './permissions.ts'
import type { Services } from './services.ts'

/** How a kind of record is found by an operation that is about one of them. */
export interface Subject<S = unknown> {
  /** The word of the interface for it: `incident`. */
  kind: string
  /** Whether it may be named by `external_id` as well as by `id`. */
  external: boolean
  /** There is one of it on a page, so that no request names it. */
  singleton?: boolean
  find(ctx: Context, ref: SubjectRef | undefined, options: { lock: boolean }): Promise<S | null>
  id(record: S): number
  /** What an audit row compares: never a secret. */
  snapshot(record: S): Record<string, unknown>
  /** Read-only fields that no audit row needs and that a change may send back as they are stored. */
  alsoStored?(record: S): Record<string, unknown>
}

export type SubjectRef = { id: number } | { external_id: string }

/**
 * One thing that the service can do. HTTP routes, the OpenAPI document and every later door (MCP, plans, chat) read
 * the same value, so that a rule holds at every door or at none.
 */
export interface Operation<S = unknown, I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  name: string
  area: Area
  /** `public` needs no credential on a public page. */
  permission: Level | 'public'
  /** What kind of record it makes, for those that have no subject yet. */
  makes?: string
  /** Whether it changes something, and therefore writes an audit row. */
  changes: boolean
  summary: string
  description?: string
  subject?: Subject<S>
  input: I
  output: O
  /** Looks at the input before a transaction is open: for what takes long and needs no record. Throws to refuse. */
  prepare?(services: Services, page: PageRef, input: z.output<I>): Promise<void>
  run(ctx: Context, input: z.output<I>, subject: S): Promise<z.input<O>>
}

// biome-ignore lint/suspicious/noExplicitAny: a table of operations forgets what each one takes; `execute` parses it.
export type AnyOperation = Operation<any, any, any>

const names = new Set<string>()

/** The names of all operations that write audit rows, in the order of the alphabet. */
export const auditedOperations = (): string[] => [...names].sort()

export function operation<S, I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<Operation<S, I, O>, 'changes'> & { changes?: boolean },
): Operation<S, I, O> {
  const reads = definition.permission === 'read' || definition.permission === 'public'
  const changes = definition.changes ?? !reads
  if (changes) names.add(definition.name)
  return { ...definition, changes }
}
