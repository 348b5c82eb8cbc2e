import type { CheckSummary } from '../../src/domain/beats/stage/stage-rules.ts'
import type { CheckedType } from '../checks/index.ts'
import type { Known, LocalPolicies } from './local-stage-rules.ts'

interface Heard extends CheckSummary {
  due: number
}

/** What a lease has to know of a beat to check it. */
export interface BeatConfig {
  id: number
  page_id: number
  config_version: number
  type: CheckedType
  /** One object for as long as the configuration is the same: what checks keep for a target hangs on it. */
  target: object
  /** Which of the beat's targets that is: a result says it, as it may be stored when the beat has another. */
  target_number: number
  interval_seconds: number
  timeout_ms: number
  policies: LocalPolicies
  /** How many results the rules look at. */
  depth: number
  known: Known
  /** What checks of this region have seen last, newest first. */
  tail: Heard[]
}
