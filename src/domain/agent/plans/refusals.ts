import type { z } from 'zod'
import type { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem, type ProblemCode } from '../../kernel/errors.ts'
import { presentPlan } from './presenter.ts'
import type { PlanResource } from './schema.ts'

type Shown = z.output<typeof PlanResource>

const codes: Partial<Record<Shown['status'], { code: ProblemCode; message: (plan: Shown) => string }>> = {
  needs_input: { code: 'plan_needs_input', message: () => 'The plan has questions without an answer.' },
  expired: { code: 'plan_expired', message: ({ expires_at }) => `The plan expired at ${expires_at}.` },
  cancelled: { code: 'plan_cancelled', message: () => 'The plan was cancelled.' },
  failed: { code: 'plan_failed', message: ({ ended_because }) => ended_because ?? 'The plan failed.' },
  conflicted: {
    code: 'plan_conflicted',
    message: ({ conflicts }) => {
      const records = [
        ...new Set(conflicts.map(({ kind, id, is }) => `${kind} ${id}${is === 'deleted' ? ' (deleted)' : ''}`)),
      ]
      return `What the plan would change has changed since the plan was drafted: ${records.join(', ')}. Ask again for a new plan.`
    },
  },
}

/** The refusal of a confirmation, by the status of the plan; undefined if the plan runs or was executed. */
export function refusalOf(plan: Shown): Problem | undefined {
  const found = codes[plan.status]
  return found && new Problem(found.code, found.message(plan), { plan })
}

/** Refuses a plan that no longer waits for answers or its confirmation. */
export function requireOpen(ctx: Context, plan: ActionPlan): void {
  const shown = presentPlan(ctx.services, plan, ctx.now)
  if (shown.status === 'needs_input' || shown.status === 'ready') return
  throw refusalOf(shown) ?? new Problem('conflict', `The plan is ${shown.status} already.`, { plan: shown })
}
