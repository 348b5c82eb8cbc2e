import { LockMode } from '@mikro-orm/postgresql'
import { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import { notFound, Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { DeliveryAnswer, DeliveryRequest, FeedbackAnswer, FeedbackRequest } from './schema.ts'

export const recordDelivery = operation({
  name: 'agent.delivery',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Record that the answer of a turn was posted',
  description:
    'Finds the turn by `delegating_agent.chat_app_id` and `external_message_key`. From then on a retry of the message has the directive `delegation_noop`. The same `response_key` again answers 200, another one is a 409.',
  input: DeliveryRequest,
  output: DeliveryAnswer,
  run: async (ctx, { response_key, delegating_agent, conversation, chat_context, surface }) => {
    const chat_app_id = delegating_agent?.chat_app_id ?? ''
    const { external_message_key: message_key, external_thread_key } = conversation
    const turn = await ctx.tx.findOne(
      DelegationTurn,
      { chat_app_id, message_key, ...(external_thread_key ? { thread_key: external_thread_key } : {}) },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    if (!turn) throw notFound('turn')
    if (turn.response_key !== null) {
      if (turn.response_key !== response_key) {
        throw new Problem('conflict', `The answer of turn ${turn.id} was delivered under another response_key.`)
      }
      ctx.existing()
    } else {
      if (turn.state !== 'answered') throw new Problem('conflict', `Turn ${turn.id} has no answer yet.`)
      turn.response_key = response_key
      turn.delivered_at = ctx.now
      turn.delivery = { surface, chat_context }
    }
    return { turn_id: turn.id, response_key, delivered_at: turn.delivered_at!.toISOString() }
  },
})

export const recordFeedback = operation({
  name: 'agent.feedback',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Record what a user thinks of a posted answer',
  description: 'Finds the turn by the `response_key` of its delivery. A later rating replaces an earlier one.',
  input: FeedbackRequest,
  output: FeedbackAnswer,
  run: async (ctx, { response_key, rating, reason }) => {
    const turn = await ctx.tx.findOne(
      DelegationTurn,
      { response_key },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'desc' } },
    )
    if (!turn) throw notFound('turn')
    turn.rating = rating
    turn.rating_reason = reason ?? null
    turn.rated_at = ctx.now
    return { turn_id: turn.id, rating, recorded_at: ctx.now.toISOString() }
  },
})
