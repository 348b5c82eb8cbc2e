import { z } from 'zod'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Operations } from '../../kernel/services.ts'
import { understand } from '../language/understand.ts'
import { isPlannable } from '../plans/draft-steps.ts'
import type { ThreadSituation } from '../situation-types.ts'
import type { ChatModel } from './chat-model.ts'
import { type Message, parseJson } from './completion.ts'
import { LIMITS } from './limits.ts'
import { declaration, declarationPrompt } from './prompts.ts'

/** An operation that the message asks for, and how many steps may be of it. */
export interface DeclaredChange {
  operation: AnyOperation
  several: boolean
}

export interface Declared {
  changes: DeclaredChange[]
  replacesOpenPlan: boolean
}

const Declaration = z.object({
  changes: z
    .array(z.object({ operation: z.string(), several: z.boolean().default(false) }))
    .max(LIMITS.declaredOperations),
  replaces_open_plan: z.boolean().default(false),
})

const nothing: Declared = { changes: [], replacesOpenPlan: false }

/**
 * The changes that the message asks for, decided before the model has seen any text of the page. A message in which the rules
 * read a question, a negation, a quote or a hypothesis asks for none.
 */
export async function declareChanges(
  model: ChatModel,
  operations: Operations,
  { query, situation, signal }: { query: string; situation: ThreadSituation; signal: AbortSignal },
): Promise<Declared> {
  if (!(await mayAskForChanges(query, situation))) return nothing
  const plannable = [...operations.values()].filter(isPlannable)
  const hasOpenPlan = situation.memory?.plan_id !== undefined
  const messages: Message[] = [
    { role: 'system', content: declarationPrompt(plannable, hasOpenPlan) },
    ...earlier(situation),
    { role: 'user', content: query },
  ]
  const { calls } = await model.next({ messages, tools: [declaration] }, signal)
  const call = calls.find((one) => one.function.name === declaration.function.name)
  const declared = Declaration.safeParse(call && parseJson(call.function.arguments))
  if (!declared.success) return nothing
  const changes = declared.data.changes.flatMap(({ operation: name, several }) => {
    const operation = plannable.find((one) => one.name === name)
    return operation ? [{ operation, several }] : []
  })
  return { changes, replacesOpenPlan: hasOpenPlan && declared.data.replaces_open_plan }
}

async function mayAskForChanges(query: string, situation: ThreadSituation): Promise<boolean> {
  const understood = await understand(query, situation)
  return understood.kind === 'request' || (understood.kind === 'none' && understood.because === 'not_understood')
}

/** The earlier messages of the thread as users wrote them, without the answers, which hold texts of the page. */
export function earlier({ memory }: ThreadSituation): Message[] {
  const queries = memory?.queries ?? []
  if (queries.length === 0) return []
  return [{ role: 'user', content: `Earlier messages, which are answered: ${JSON.stringify(queries)}` }]
}
