import { z } from 'zod'
import type { ProcessRef } from '../../../../workflows/processes.ts'
import { insertTurn } from '../../../persistence/delegation-turns.ts'
import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound, Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { reachOf, requireReach, storedActor } from '../actor.ts'
import { presentAnswer } from './presenter.ts'
import { DelegationAnswer, RespondRequest } from './schema.ts'

const turnProcess = (id: number): ProcessRef => ({ kind: 'delegation', id })

export const respond = operation({
  name: 'agent.respond',
  makes: 'turn',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Answer a message, or draft a plan for what it asks for',
  description:
    'A message is answered once under its `external_message_key`: the same request again gets the same answer, `processing` while the answer is not ready, and after a delivery the directive `delegation_noop`. Another `query` under the key is a 422. The stored answer is shown only to tokens that reach at least as far as the first one. Waits up to 25 s for a new answer. Questions are answered with the permissions of the token; the fields of `actor` are stored for audit and grant nothing.',
  input: RespondRequest,
  output: DelegationAnswer,
  run: async (ctx, input) => {
    const { turn, isNew } = await claimTurn(ctx, input)
    if (isNew) {
      ctx.wake(turnProcess(turn.id), `a message of "${ctx.actor.name}"`)
      return presentAnswer(ctx, turn, null)
    }
    ctx.existing()
    if (turn.query !== input.query) {
      throw new Problem('idempotency_key_reused', 'This external_message_key was used for another query.')
    }
    return replay(ctx, turn)
  },
})

/** Stores a new turn, or finds the turn of the message. */
async function claimTurn(ctx: Context, input: z.output<typeof RespondRequest>) {
  const { query, conversation = {}, ...asked } = input
  const { external_message_key: message_key = null, external_thread_key: thread_key = null } = conversation
  const chat_app_id = input.delegating_agent?.chat_app_id ?? ''
  const id = await insertTurn(ctx.tx, {
    page_id: ctx.page.id,
    ...{ chat_app_id, message_key, thread_key, query, asked },
    asker: storedActor(ctx.actor),
    reach: reachOf(ctx.actor),
    now: ctx.now,
  })
  if (id !== undefined) return { turn: await ctx.tx.findOneOrFail(DelegationTurn, { id }), isNew: true }
  return { turn: await ctx.tx.findOneOrFail(DelegationTurn, { chat_app_id, message_key }), isNew: false }
}

async function replay(ctx: Context, turn: DelegationTurn) {
  requireReach(ctx, turn.reach, 'answer')
  return presentAnswer(ctx, turn, await ctx.tx.findOne(ActionPlan, { turn_id: turn.id }))
}

/** For the request that waits for the answer of its own turn. */
export const getAnswer = operation({
  name: 'agent.answer',
  area: 'agent',
  permission: 'read',
  summary: 'Get the answer of a turn',
  input: z.strictObject({ turn_id: z.int() }),
  output: DelegationAnswer,
  run: async (ctx, { turn_id }) => {
    const turn = await ctx.tx.findOne(DelegationTurn, { id: turn_id })
    if (!turn) throw notFound('turn')
    return replay(ctx, turn)
  },
})
