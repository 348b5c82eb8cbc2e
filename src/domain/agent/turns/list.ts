import { z } from 'zod'
import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { presentTurn } from './presenter.ts'
import { TurnResource, turnFilters } from './schema.ts'

const turnSubject = recordSubject('turn', DelegationTurn, ({ id }) => ({ id }))

/** The ids of the plans of turns, by the ids of the turns. */
async function plansOf({ tx }: Context, turns: DelegationTurn[]): Promise<Map<number, number>> {
  const ids = turns.map(({ id }) => id)
  const plans = ids.length === 0 ? [] : await tx.find(ActionPlan, { turn_id: ids }, { fields: ['id', 'turn_id'] })
  return new Map(plans.map(({ id, turn_id }) => [turn_id!, id]))
}

export const listTurns = operation({
  name: 'agent.turns.list',
  area: 'audit',
  permission: 'admin',
  changes: false,
  summary: 'List the messages for the agent with answers, deliveries and ratings, newest first',
  input: z.strictObject({ ...turnFilters, ...pagingFields }),
  output: listOf('turns', TurnResource),
  run: async (ctx, { thread, rating, plan_id, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const plan = plan_id === undefined ? undefined : await ctx.tx.findOne(ActionPlan, { id: plan_id })
    const only = {
      ...(thread === undefined ? {} : { thread_key: thread }),
      ...(rating === undefined ? {} : { rating }),
      ...(plan_id === undefined ? {} : { id: plan?.turn_id ?? 0 }),
    }
    const behind = after ? { $and: [{ id: { $lt: after[0] } }] } : {}
    const rows = await ctx.tx.find(
      DelegationTurn,
      { ...only, ...behind },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    const plans = await plansOf(ctx, page.rows)
    return {
      turns: page.rows.map((turn) => presentTurn(turn, plans.get(turn.id))),
      total: await ctx.tx.count(DelegationTurn, only),
      next_cursor: page.next_cursor,
    }
  },
})

export const getTurn = operation({
  name: 'agent.turns.get',
  area: 'audit',
  permission: 'admin',
  changes: false,
  summary: 'Get a message for the agent with its answer, delivery and rating',
  subject: turnSubject,
  input: z.strictObject({}),
  output: TurnResource,
  run: async (ctx, _input, turn) => presentTurn(turn, (await plansOf(ctx, [turn])).get(turn.id)),
})
