import { z } from 'zod'
import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { presentPlan } from './presenter.ts'
import { PlanResource, planStatuses } from './schema.ts'

export const listPlans = operation({
  name: 'agent.plans.list',
  area: 'audit',
  permission: 'admin',
  changes: false,
  summary: 'List plans, newest first',
  input: z.strictObject({ status: z.enum(planStatuses).optional(), ...pagingFields }),
  output: listOf('plans', PlanResource),
  run: async ({ tx, services, now }, { status, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const only = status === undefined ? {} : { status }
    const rows = await tx.find(
      ActionPlan,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    return {
      plans: page.rows.map((plan) => presentPlan(services, plan, now)),
      total: await tx.count(ActionPlan, only),
      next_cursor: page.next_cursor,
    }
  },
})
