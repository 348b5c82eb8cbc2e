import type { Answer } from '../answer-query.ts'
import type { Memory } from '../language/types.ts'
import type { PlanReply, Reply, ResponseContext } from '../response-types.ts'
import { notPermitted } from '../responses/refusals.ts'
import type { ThreadSituation } from '../situation-types.ts'
import type { ToolContext } from '../tools/tool.ts'
import { safeMarkdown, summaryOf, titleOf } from './answer-text-rules.ts'
import type { ChatModel } from './chat-model.ts'
import type { Message } from './completion.ts'
import { converse, type Outcome } from './converse.ts'
import { declareChanges, earlier } from './declare-changes.ts'
import { LIMITS } from './limits.ts'
import { ModelFailed } from './model-failed.ts'
import { conversationPrompt } from './prompts.ts'
import { openReadingTools, type ReadingTools } from './reading-tools.ts'

interface Asked {
  ctx: ResponseContext
  tools: ToolContext
  query: string
  situation: ThreadSituation
}

/** The answer of a model to a message. Throws a ModelFailed if the model gives no usable answer in time. */
export async function answerByModel(model: ChatModel, asked: Asked, totalMs: number = LIMITS.totalMs): Promise<Answer> {
  const timeout = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const tooSlow = new ModelFailed(`The model did not answer within ${totalMs / 1000} seconds.`)
    timeout.abort(tooSlow)
    reject(tooSlow)
  }, totalMs)
  try {
    // A reading operation cannot be ended, so the answer does not wait for it.
    return await Promise.race([answer(model, asked, timeout.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

async function answer(model: ChatModel, asked: Asked, signal: AbortSignal): Promise<Answer> {
  const { ctx, query, situation } = asked
  const { operations } = asked.tools.services
  const { changes, replacesOpenPlan } = await declareChanges(model, operations, { query, situation, signal })
  const tools = openReadingTools(asked.tools)
  const refusals: string[] = []
  const recent = (situation.memory?.records ?? []).map(({ kind, id }) => `${kind} ${id}`)
  const declared = changes.map(({ operation }) => operation)
  const messages: Message[] = [
    { role: 'system', content: conversationPrompt({ now: ctx.now, zone: ctx.zone, recent, declared }) },
    ...earlier(situation),
    { role: 'user', content: query },
  ]
  const conversation = { model, ctx, tools, changes, signal, refusals }
  const outcome = await converse(conversation, messages, LIMITS.rounds - 1)
  const reply = replyOf(asked, outcome, tools, refusals)
  const memory: Memory = { records: reply.records }
  const replaces = 'steps' in outcome && replacesOpenPlan ? situation.memory?.plan_id : undefined
  return { reply, memory, ...(replaces === undefined ? {} : { replaces }) }
}

function replyOf(
  { query, tools }: Asked,
  outcome: Outcome,
  { records, results }: Pick<ReadingTools, 'records' | 'results'>,
  refusals: string[],
): Reply {
  const title = titleOf(query)
  if ('steps' in outcome) return { ...planReply(outcome.steps), title, records }
  // Without any data the model can only guess.
  if (refusals.length > 0 && results === 0) return notPermitted(refusals[0]!)
  const markdown = safeMarkdown(outcome.text, tools.services.baseUrl)
  if (markdown === '') throw new ModelFailed('The model answered with an empty text.')
  return { outcome: 'answered', title, summary: summaryOf(markdown), markdown, records }
}

/** Nothing that is shown of a plan is written by the model: its effects are made from the validated steps. */
function planReply(steps: PlanReply['steps']): Omit<PlanReply, 'title' | 'records'> {
  const summary = [...new Set(steps.map(({ operation }) => operation.summary))].join('; ')
  return { outcome: 'plan', summary: summary.slice(0, 500), steps, questions: [] }
}
