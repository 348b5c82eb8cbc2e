import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { observeStage } from './observe.ts'
import type { Stage } from './stage-rules.ts'

export interface Report {
  stage: Stage
  /** The same event again is the same report. */
  event_id: string
  evidence: string
  /** What reported it, in words. */
  cause: string
}

/**
 * Somebody outside says the stage of a beat. Where the beat is checked as well, its next check has a say again: of two
 * observers the later one counts.
 */
export const reportStage = (work: WorkContext, beatId: number, report: Report): Promise<BeatTransition | null> =>
  observeStage(work, beatId, async () => {
    const { stage, event_id, evidence, cause } = report
    return { stage, key: `event:${event_id}`, cause, evidence }
  })
