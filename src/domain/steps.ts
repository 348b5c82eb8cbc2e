import { incidentStep } from './incidents/step.ts'
import type { Step } from './kernel/step.ts'

/** What each kind of process does when it looks. */
export const steps: Record<'incident', Step> = {
  incident: incidentStep,
}
