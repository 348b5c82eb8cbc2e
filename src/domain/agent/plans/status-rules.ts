import type { PlanStatus, StoredPlanStep, StoredQuestion } from '../../../persistence/entities/action-plan.ts'

/** The statuses that each status may be followed by. The final statuses have none. */
export const nextStatuses: Record<PlanStatus, PlanStatus[]> = {
  needs_input: ['needs_input', 'ready', 'expired', 'cancelled'],
  ready: ['needs_input', 'ready', 'executing', 'conflicted', 'expired', 'cancelled'],
  executing: ['executed', 'failed', 'conflicted'],
  executed: [],
  failed: [],
  conflicted: [],
  expired: [],
  cancelled: [],
}

/** Whether the plan still waits for answers or its confirmation. */
export const isOpen = (status: PlanStatus): boolean => nextStatuses[status].includes('cancelled')

export function statusOfDraft(steps: unknown[], questions: StoredQuestion[]): 'needs_input' | 'ready' {
  const isOpenQuestion = ({ required, answer }: StoredQuestion) => required && answer === undefined
  return steps.length === 0 || questions.some(isOpenQuestion) ? 'needs_input' : 'ready'
}

/** Why a plan stopped at a step, and what stays of the steps before. */
export function endOfFailedPlan(steps: StoredPlanStep[], failed: string, error: string): string {
  const done = steps.filter(({ status }) => status === 'done').map(({ id }) => id)
  const left = steps.filter(({ status, id }) => status === 'pending' && id !== failed).map(({ id }) => id)
  const named = (ids: string[]) => (ids.length === 1 ? `Step ${ids[0]}` : `Steps ${ids.join(', ')}`)
  const was = (ids: string[]) => (ids.length === 1 ? 'was' : 'were')
  return [
    `Step ${failed} failed: ${error}`,
    ...(done.length > 0 ? [`${named(done)} ${was(done)} done and ${done.length === 1 ? 'stays' : 'stay'}.`] : []),
    ...(left.length > 0 ? [`${named(left)} ${was(left)} not run.`] : []),
  ].join(' ')
}
