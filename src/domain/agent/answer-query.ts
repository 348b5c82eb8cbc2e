import { Problem } from '../kernel/errors.ts'
import type { IntentName, Memory, Situation, Slots, Understanding } from './language/types.ts'
import { understand } from './language/understand.ts'
import type { Reply, ResponseContext } from './response-types.ts'
import { responses } from './responses/index.ts'
import { notPermitted, notUnderstood } from './responses/refusals.ts'

export interface Answer {
  reply: Reply
  /** What a request asks for, from which its plan can be drafted again; absent for a model. */
  request?: { intent: IntentName; slots: Slots }
  memory: Memory
}

/** The answer of the built-in planner to a message. */
export async function answerByRules(ctx: ResponseContext, query: string, situation: Situation): Promise<Answer> {
  const understanding = understand(query, situation)
  if (understanding.kind === 'none') {
    return { reply: notUnderstood(understanding), memory: situation.memory ?? { records: [] } }
  }
  const { intent, slots } = understanding
  const reply = withUnclear(await replyTo(ctx, intent, slots), understanding)
  return {
    reply,
    ...(understanding.kind === 'request' ? { request: { intent, slots } } : {}),
    memory: { intent, slots, records: reply.records },
  }
}

/** The reply to an understood message; a refused read is an answer, too. */
export async function replyTo(ctx: ResponseContext, intent: IntentName, slots: Slots): Promise<Reply> {
  try {
    return await responses[intent](ctx, slots)
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') return notPermitted(error.message)
    throw error
  }
}

/** Says what was not understood. */
function withUnclear(reply: Reply, { unclear }: Understanding): Reply {
  if (unclear.length === 0 || reply.outcome !== 'answered') return reply
  const quoted = unclear.map((phrase) => `“${phrase}”`).join(', ')
  return { ...reply, markdown: `${reply.markdown}\n\n_I did not understand ${quoted}._` }
}
