import { p } from '@mikro-orm/core'
import { json, moment } from './columns.ts'

/** What beats and groups of beats have alike: what clients say of them, and what their processes keep. */
export const actingColumns = () => ({
  name: p.text(),
  description: p.text(),
  external_id: p.text().strictNullable(),
  /** What the creating request said, so that a retry is told from another request under the same external id. */
  create_hash: p.text().strictNullable(),
  action_policies: json<Record<string, unknown>>(),
  message_policies: json<Record<string, unknown>>(),
  impact: p.text().strictNullable(),
  affected_items_freetext: p.text().strictNullable(),
  automation_paused: p.boolean(),
  automation_pause_reason: p.text().strictNullable(),
  muted_until: moment().strictNullable(),
  current_stage: p.text().strictNullable(),
  /** It changes its stage too often for anybody to follow. */
  flapping_since: moment().strictNullable(),
  /** The number of its last transition, and of the last one that its process has settled, by acting or by saying why not. */
  transition_number: p.integer(),
  settled_number: p.integer(),
  /** The stage that its actions reflect. */
  acted_stage: p.text().strictNullable(),
  last_evidence_summary: p.text().strictNullable(),
  last_state_changed_at: moment().strictNullable(),
  last_transition_from_stage: p.text().strictNullable(),
  last_transition_to_stage: p.text().strictNullable(),
  last_action_created_at: moment().strictNullable(),
  current_incident_id: p.integer().strictNullable(),
  version: p.integer(),
  created_at: moment(),
  updated_at: moment(),
})
