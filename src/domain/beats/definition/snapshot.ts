import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import type { Stage } from '../stage/stage-rules.ts'
import type { BeatType } from '../types/index.ts'
import type { ActionPolicies, MessagePolicies } from './policies.ts'
import type { Range } from './range-rules.ts'
import type { ThresholdPolicies } from './thresholds.ts'

const iso = (moment: Date | null) => moment?.toISOString()

/** The stored fields of requests that beats and groups share. */
export const sharedSnapshot = (record: Beat | BeatGroup) => ({
  name: record.name,
  description: record.description,
  external_id: record.external_id ?? undefined,
  impact: record.impact ?? undefined,
  affected_items_freetext: record.affected_items_freetext ?? undefined,
  automation_paused: record.automation_paused,
  automation_pause_reason: record.automation_pause_reason ?? undefined,
  muted_until: iso(record.muted_until),
  action_policies: record.action_policies as ActionPolicies,
  message_policies: record.message_policies as MessagePolicies,
  version: record.version,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
})

/** The fields that an audit row compares: the fields of requests. Transitions record the state. */
export const snapshotBeat = (beat: Beat) => ({
  id: beat.id,
  ...sharedSnapshot(beat),
  type: beat.type as BeatType,
  beat_group_id: beat.beat_group_id ?? undefined,
  enabled: beat.enabled,
  interval_seconds: beat.interval_seconds,
  timeout_ms: beat.timeout_ms,
  regions: beat.regions,
  target: beat.target,
  threshold_policies: beat.threshold_policies as ThresholdPolicies,
  public_metrics_enabled: beat.public_metrics_enabled,
  public_metrics_component_id: beat.public_metrics_component_id ?? undefined,
  public_metrics_label: beat.public_metrics_label ?? undefined,
  public_metrics_max_range: (beat.public_metrics_max_range ?? undefined) as Range | undefined,
})

/** The present stage. Null while the stage is unknown, although the record still has the last known stage. */
export const stageOf = (record: Beat | BeatGroup) =>
  'unknown_since' in record && record.unknown_since !== null ? null : (record.current_stage as Stage | null)

/** The ids of their open incidents. A record also has the id of an incident that a person has resolved or deleted. */
export async function openIncidents(tx: EntityManager, records: (Beat | BeatGroup)[]): Promise<Set<number>> {
  const ids = records.flatMap(({ current_incident_id: id }) => id ?? [])
  if (ids.length === 0) return new Set()
  const open = await tx.find(Incident, { id: { $in: ids }, resolved_at: null }, { fields: ['id'] })
  return new Set(open.map(({ id }) => id))
}

/** The state of a beat or a group. `evidence` is the evidence of the last check, else of the last transition. */
export const stateOf = (record: Beat | BeatGroup, open: Set<number>, evidence?: string | null) => ({
  current_stage: stageOf(record),
  current_incident_id: open.has(record.current_incident_id ?? 0) ? record.current_incident_id! : undefined,
  last_evidence_summary: (evidence || record.last_evidence_summary) ?? undefined,
  last_transition_from_stage: record.last_transition_from_stage ?? undefined,
  last_transition_to_stage: record.last_transition_to_stage ?? undefined,
  last_action_created_at: iso(record.last_action_created_at),
  last_state_changed_at: iso(record.last_state_changed_at),
  flapping: record.flapping_since !== null,
  flapping_since: iso(record.flapping_since),
})

/** The read-only fields that a change may send back with their stored values. */
export const alsoStored = (record: Beat | BeatGroup) => ({
  status_page_id: record.page_id,
  current_stage: stageOf(record),
  current_incident_id: record.current_incident_id,
})

/** The state in a compact list. */
export function compactState(record: Beat | BeatGroup, open: Set<number>, evidence?: string | null) {
  const shown = stateOf(record, open, evidence)
  const { current_stage, current_incident_id, last_evidence_summary, last_state_changed_at } = shown
  return { current_stage, current_incident_id, last_evidence_summary, last_state_changed_at }
}
