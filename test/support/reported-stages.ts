import { observeStage } from '../../src/domain/beats/stage/observe.ts'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import type { WorkContext } from '../../src/domain/kernel/work-context.ts'

export interface Report {
  stage: Stage
  /** A repeated report has the same id. */
  event_id: string
  evidence: string
  cause: string
}

/** An observation from outside, without an endpoint: the stage of a beat by a report. */
export const reportStage = (work: WorkContext, beatId: number, { stage, event_id, cause, evidence }: Report) =>
  observeStage(work, beatId, async () => ({ stage, key: `event:${event_id}`, cause, evidence }))
