import type { StoredFingerprint } from '../../../persistence/fingerprints.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { FingerprintState } from '../decisions/decide.ts'

export const fingerprintFrom = (row: StoredFingerprint): FingerprintState => ({
  ...row,
  stage: row.stage as Stage,
  since: new Date(row.since).getTime(),
  observed_at: new Date(row.observed_at).getTime(),
  last_event_at: new Date(row.last_event_at).getTime(),
  silent_at: row.silent_at === null ? null : new Date(row.silent_at).getTime(),
})

export const storedFingerprint = (state: FingerprintState): StoredFingerprint => ({
  ...state,
  since: new Date(state.since),
  observed_at: new Date(state.observed_at),
  last_event_at: new Date(state.last_event_at),
  silent_at: state.silent_at === null ? null : new Date(state.silent_at),
})
