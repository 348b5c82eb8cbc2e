import type { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import type { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import type { Context } from '../../kernel/context.ts'
import { iso } from '../../tokens/presenter.ts'
import { presentPlan } from '../plans/presenter.ts'
import type { StoredAnswer } from './stored-answer.ts'

/** The answer of a turn for the bot. A delivered answer, and one that is not ready, must not be posted. */
export function presentAnswer(ctx: Context, turn: DelegationTurn, plan: ActionPlan | null) {
  const { id, message_key, delivered_at } = turn
  const known = { turn_id: id, idempotent: message_key !== null }
  if (!turn.answer) {
    const texts = { thread_title: '', summary: '', markdown: '' }
    const directive = { transport_directive: 'delegation_noop' as const }
    return { ...known, outcome: 'processing' as const, ...texts, ...directive, generated_by: 'rules' as const }
  }
  const answer = turn.answer as unknown as StoredAnswer
  return {
    ...known,
    ...answer,
    transport_directive: delivered_at ? ('delegation_noop' as const) : ('delegation_post' as const),
    plan: plan ? presentPlan(ctx.services, plan, ctx.now) : undefined,
  }
}

export function presentTurn(turn: DelegationTurn, plan_id: number | undefined) {
  const { surface, delegating_agent, actor, chat_context } = turn.asked as Record<string, never>
  const { thread_key, message_key } = turn
  return {
    id: turn.id,
    query: turn.query,
    state: turn.state,
    asked_by: { token_id: turn.asker.id, name: turn.asker.name },
    ...{ surface, delegating_agent, actor, chat_context },
    conversation: {
      external_thread_key: thread_key ?? undefined,
      external_message_key: message_key ?? undefined,
    },
    answer: turn.answer ?? undefined,
    plan_id,
    created_at: turn.created_at.toISOString(),
    answered_at: iso(turn.answered_at),
    response_key: turn.response_key ?? undefined,
    delivered_at: iso(turn.delivered_at),
    rating: turn.rating ?? undefined,
    rating_reason: turn.rating_reason ?? undefined,
    rated_at: iso(turn.rated_at),
  }
}
