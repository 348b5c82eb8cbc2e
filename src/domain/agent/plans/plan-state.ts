import { z } from 'zod'
import { operation } from '../../kernel/operation.ts'
import { presentPlan } from './presenter.ts'
import { PlanResource } from './schema.ts'
import { requireReader } from './step-permissions.ts'
import { planSubject } from './subject.ts'

/** For the request that waits for the process of a plan which it has just answered or confirmed. */
export const getPlanState = operation({
  name: 'agent.plans.state',
  area: 'agent',
  permission: 'read',
  summary: 'Get a plan, and whether its process has still something to do',
  subject: planSubject,
  input: z.strictObject({}),
  output: z.strictObject({ plan: PlanResource, settled: z.boolean() }),
  run: async (ctx, _input, plan) => {
    requireReader(ctx, plan)
    const settled = plan.status !== 'executing' && plan.new_answers === null
    return { plan: presentPlan(ctx.services, plan, ctx.now), settled }
  },
})
