import type { StoredQuestion } from '../../persistence/entities/action-plan.ts'
import type { Memory, Situation } from './language/types.ts'

/** With the questions of the plan of the last turn, as long as the plan is not confirmed. */
export interface ThreadMemory extends Memory {
  questions?: StoredQuestion[]
  /** The last messages of users, the oldest first. */
  queries?: string[]
}

export interface ThreadSituation extends Situation {
  memory?: ThreadMemory
}
