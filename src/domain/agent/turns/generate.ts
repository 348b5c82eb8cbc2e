import type { ActionPlan, StoredPlanStep, StoredQuestion } from '../../../persistence/entities/action-plan.ts'
import type { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import { pageById } from '../../../persistence/system/directory.ts'
import type { Services } from '../../kernel/services.ts'
import { actorFrom } from '../actor.ts'
import { type Answer, answerByRules } from '../answer-query.ts'
import type { Memory } from '../language/types.ts'
import { answerByModel } from '../model/answer-by-model.ts'
import type { ChatModel } from '../model/chat-model.ts'
import { ModelFailed } from '../model/model-failed.ts'
import { draftOf } from '../plans/draft-reply.ts'
import { statusOfDraft } from '../plans/status-rules.ts'
import { openReader } from '../reader.ts'
import type { ResponseContext } from '../response-types.ts'
import { planMarkdown } from '../responses/plan-markdown.ts'
import { plain } from '../responses/text.ts'
import { getSituation } from '../situation.ts'
import type { ThreadSituation } from '../situation-types.ts'
import type { StoredAnswer } from './stored-answer.ts'

/** The answer of a turn, before the turn stores the answer. */
export interface Generated {
  answer: StoredAnswer
  memory: Memory
  /** The plan of the thread that the new plan replaces. */
  replaces?: number
  plan?: { summary: string; steps: StoredPlanStep[]; questions: StoredQuestion[]; request: ActionPlan['request'] }
}

/** Answers the message of a turn with the permissions of the token that asked. Writes nothing. */
export async function generateAnswer(services: Services, turn: DelegationTurn): Promise<Generated> {
  const reader = await readerOf(services, turn)
  const situation = await reader.read(getSituation, { input: { turn_id: turn.id, at: turn.created_at.toISOString() } })
  const ctx = { ...reader, zone: situation.zone }
  const byModel = services.model && (await tryModel(services, services.model, ctx, turn, situation))
  if (byModel && !('failed' in byModel)) return byModel
  const answer = await answerByRules(ctx, turn.query, situation)
  return finish(ctx, turn, answer, {
    generated_by: 'rules',
    ...(byModel ? { fallback_reason: byModel.failed } : {}),
  })
}

/** The answer of the model, or why the rules answer instead. */
async function tryModel(
  services: Services,
  model: ChatModel,
  ctx: ResponseContext,
  turn: DelegationTurn,
  situation: ThreadSituation,
): Promise<Generated | { failed: string }> {
  const { page, actor } = ctx
  // The tools of a model do not wait for processes.
  const tools = { services, page, actor, requestId: `turn-${turn.id}`, patience: { turnMs: 0, planMs: 0 } }
  try {
    const answer = await answerByModel(model, { ctx, tools, query: turn.query, situation })
    return await finish(ctx, turn, answer, { generated_by: 'model' })
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error
    services.logger.warn({ turn_id: turn.id, reason: error.message }, 'the rules answer a message instead of the model')
    return { failed: error.message }
  }
}

const readerOf = async (services: Services, { page_id, asker, id, created_at }: DelegationTurn) =>
  openReader(services, {
    page: await pageById(services.system, page_id),
    actor: actorFrom(asker),
    requestId: `turn-${id}`,
    now: created_at,
    zone: 'UTC',
  })

async function finish(
  ctx: ResponseContext,
  turn: DelegationTurn,
  { reply: answered, request, memory, replaces }: Answer,
  by: Pick<StoredAnswer, 'generated_by' | 'fallback_reason'>,
): Promise<Generated> {
  const drafted = await draftOf(ctx, answered)
  const { title, summary } = drafted.reply
  const thread_title = plain(title)
  if (!('steps' in drafted)) {
    const { outcome, markdown, sources } = drafted.reply
    return {
      answer: { outcome, thread_title, summary, markdown, ...(sources ? { sources } : {}), ...by },
      memory,
    }
  }
  const { reply, steps } = drafted
  const { questions } = reply
  const outcome = statusOfDraft(steps, questions) === 'ready' ? 'plan_drafted' : 'needs_input'
  return {
    answer: { outcome, thread_title, summary, markdown: planMarkdown(reply, steps), ...by },
    memory,
    ...(replaces === undefined ? {} : { replaces }),
    plan: {
      ...{ summary, steps, questions },
      request: request ? { ...request, slots: { ...request.slots }, asked_at: turn.created_at.toISOString() } : null,
    },
  }
}
