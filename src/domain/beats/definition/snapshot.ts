import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { valuesOf } from '../../kernel/fields.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { beatFields } from './fields.ts'

const iso = (moment: Date | null) => moment?.toISOString()

/** What answers and audit rows have of every beat and group, besides its fields. */
export const identityOf = (record: Beat | BeatGroup) => ({
  id: record.id,
  external_id: record.external_id ?? undefined,
  version: record.version,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
})

/** The fields that an audit row compares: the fields of requests. Transitions record the state. */
export const snapshotBeat = (beat: Beat) => ({
  ...identityOf(beat),
  ...valuesOf(beatFields, beat),
  target: beat.target,
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
