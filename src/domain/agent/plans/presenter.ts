import type { ActionPlan, StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import type { Services } from '../../kernel/services.ts'
import { iso } from '../../tokens/presenter.ts'
import { isOpen } from './status-rules.ts'

/** A plan as clients see it. A plan whose time is over is expired, whether its process has recorded the end or not. */
export function presentPlan({ operations }: Pick<Services, 'operations'>, plan: ActionPlan, now: Date) {
  const isOver = isOpen(plan.status) && plan.expires_at <= now
  return {
    id: plan.id,
    turn_id: plan.turn_id ?? undefined,
    status: isOver ? ('expired' as const) : plan.status,
    summary: plan.summary,
    steps: plan.steps.map((step, index) => ({
      ...shownStep(operations, step),
      status: isRunning(plan, index) ? ('running' as const) : step.status,
    })),
    questions: plan.questions,
    conflicts: plan.conflicts,
    created_at: plan.created_at.toISOString(),
    expires_at: plan.expires_at.toISOString(),
    confirmed_at: iso(plan.confirmed_at),
    confirmed_by: plan.confirmer ? { token_id: plan.confirmer.id, name: plan.confirmer.name } : null,
    ended_because: plan.ended_because ?? undefined,
    version: plan.version,
  }
}

function shownStep(operations: Services['operations'], step: StoredPlanStep) {
  const { id, operation: name, ref, input, effect, result, error } = step
  const operation = operations.get(name)
  return {
    id,
    operation: name,
    area: operation?.area ?? 'unknown',
    permission: operation?.permission ?? 'unknown',
    input: { ...ref, ...input },
    effect,
    result,
    error,
  }
}

/** The steps of an executing plan run one after the other. */
const isRunning = ({ status, steps }: ActionPlan, index: number): boolean =>
  status === 'executing' && steps.findIndex((step) => step.status === 'pending') === index
