import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from '../definition/owner.ts'

/** The state of a new beat or group. */
export const initialState = () => ({
  current_stage: null,
  flapping_since: null,
  transition_number: 0,
  settled_number: 0,
  acted_stage: null,
  last_evidence_summary: null,
  last_state_changed_at: null,
  last_transition_from_stage: null,
  last_transition_to_stage: null,
  last_action_created_at: null,
  current_incident_id: null,
})

type NewTransition = Pick<BeatTransition, 'from_stage' | 'to_stage' | 'cause' | 'cause_key' | 'evidence' | 'facts'>

/** Writes a transition under the lock of its owner, so that the numbers have no gap. */
export function newTransition(
  { tx, pageId, now }: WorkContext,
  { kind, record }: Pick<Owner, 'kind' | 'record'>,
  fields: NewTransition,
): BeatTransition {
  record.transition_number += 1
  return tx.create(BeatTransition, {
    page_id: pageId,
    ...{ owner_kind: kind, owner_id: record.id, number: record.transition_number, at: now },
    ...fields,
    actions: [],
    not_acted_because: null,
  })
}

/** Applies a transition to the record of its owner. */
export function applyTransition(
  record: Beat | BeatGroup,
  { from_stage, to_stage, at, evidence }: BeatTransition,
): void {
  Object.assign(record, {
    current_stage: to_stage,
    last_evidence_summary: evidence || null,
    last_state_changed_at: at,
    last_transition_from_stage: from_stage,
    last_transition_to_stage: to_stage,
  } satisfies Partial<Beat>)
}
