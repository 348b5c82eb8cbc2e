import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { observeStage } from './observe.ts'
import type { Stage } from './stage-rules.ts'

export interface Report {
  stage: Stage
  /** A repeated event has the same id and is the same report. */
  event_id: string
  evidence: string
  /** The reporter, in words. */
  cause: string
}

/**
 * An external event sets the stage of a beat. If workers check the beat as well, the next check may change the stage again:
 * the later observation counts.
 */
export const reportStage = (work: WorkContext, beatId: number, report: Report): Promise<BeatTransition | null> =>
  observeStage(work, beatId, async () => {
    const { stage, event_id, evidence, cause } = report
    return { stage, key: `event:${event_id}`, cause, evidence }
  })
