import type { CheckSummary } from '../../src/domain/beats/stage/stage-rules.ts'
import type { CheckedType } from '../checks/index.ts'
import type { Known, LocalPolicies } from './local-stage-rules.ts'

interface DatedSummary extends CheckSummary {
  due: number
}

/** The configuration by which a lease checks a beat. */
export interface BeatConfig {
  id: number
  page_id: number
  config_version: number
  type: CheckedType
  /** The same object until the configuration changes: checks cache data by this object. */
  target: object
  /** The number of this target. Each result carries the number, because the beat may have another target by then. */
  target_number: number
  interval_seconds: number
  timeout_ms: number
  policies: LocalPolicies
  /** How many results the rules look at. */
  depth: number
  known: Known
  /** The last results of this region, newest first. */
  tail: DatedSummary[]
}
