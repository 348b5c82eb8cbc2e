import type { ActionPlan, StoredPlanStep, StoredQuestion } from '../../../persistence/entities/action-plan.ts'
import type { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import { pageById } from '../../../persistence/system/directory.ts'
import type { Services } from '../../kernel/services.ts'
import { actorFrom } from '../actor.ts'
import { type Answer, answerByRules } from '../answer-query.ts'
import type { Memory } from '../language/types.ts'
import { draftOf } from '../plans/draft-reply.ts'
import { statusOfDraft } from '../plans/status-rules.ts'
import { openReader } from '../reader.ts'
import type { ResponseContext } from '../response-types.ts'
import { planMarkdown } from '../responses/plan-markdown.ts'
import { getSituation } from '../situation.ts'
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
  const ctx = await readerOf(services, turn)
  const situation = await ctx.read(getSituation, { input: { turn_id: turn.id, at: turn.created_at.toISOString() } })
  const answer = await answerByRules({ ...ctx, zone: situation.zone }, turn.query, situation)
  return finish(ctx, turn, answer)
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
  { reply, request, memory, replaces }: Answer,
): Promise<Generated> {
  const { title: thread_title, summary } = reply
  const generated_by = 'rules' as const
  if (reply.outcome !== 'plan') {
    const { outcome, markdown, sources } = reply
    return {
      answer: { outcome, thread_title, summary, markdown, ...(sources ? { sources } : {}), generated_by },
      memory,
    }
  }
  const { steps, questions } = await draftOf(ctx, reply)
  const outcome = statusOfDraft(steps, questions) === 'ready' ? 'plan_drafted' : 'needs_input'
  return {
    answer: { outcome, thread_title, summary, markdown: planMarkdown(reply, steps), generated_by },
    memory,
    ...(replaces === undefined ? {} : { replaces }),
    plan: {
      ...{ summary, steps, questions },
      request: request ? { ...request, slots: { ...request.slots }, asked_at: turn.created_at.toISOString() } : null,
    },
  }
}
