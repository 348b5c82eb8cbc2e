import type { Beat } from '../../../persistence/entities/beat.ts'
import type { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import type { Observation } from '../stage/observe.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { stageOf } from './rules.ts'

/** The observation after a call or a missed call, which `last` describes. Computed under the lock of the beat. */
export function observationOf(beat: Beat, heartbeat: Heartbeat, last: Omit<Observation, 'stage'>): Observation | null {
  const stage = stageOf(beat.threshold_policies as ThresholdPolicies, heartbeat, beat.current_stage as Stage | null)
  return stage && { stage, ...last }
}
