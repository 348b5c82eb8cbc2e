import { p } from '@mikro-orm/core'
import { json, moment } from './columns.ts'

/** The columns that beats and groups share: fields of requests, and the state that their processes write. */
export const actingColumns = () => ({
  name: p.text(),
  description: p.text(),
  external_id: p.text().strictNullable(),
  /** The hashes of the creating request, which distinguish a retry from another request with the same external id. */
  create_hash: p.text().strictNullable(),
  action_policies: json<Record<string, unknown>>(),
  message_policies: json<Record<string, unknown>>(),
  impact: p.text().strictNullable(),
  affected_items_freetext: p.text().strictNullable(),
  automation_paused: p.boolean(),
  automation_pause_reason: p.text().strictNullable(),
  muted_until: moment().strictNullable(),
  current_stage: p.text().strictNullable(),
  /** Since when the stage changes too often; null while it does not. */
  flapping_since: moment().strictNullable(),
  /** The numbers of the last transition, and of the last transition with its actions or `not_acted_because`. */
  transition_number: p.integer(),
  settled_number: p.integer(),
  /** The stage of the last actions. */
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
