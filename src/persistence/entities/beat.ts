import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, wall } from './columns.ts'

/** A monitor. What its checks see is not here: a check that finds nothing new writes one row of `beat_result`. */
export const Beat = defineEntity({
  name: 'Beat',
  tableName: 'beat',
  policies: wall(),
  uniques: [
    { name: 'beat_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'beat_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [
    { name: 'beat_group_idx', properties: ['page_id', 'beat_group_id'] },
    { name: 'beat_left_group_idx', properties: ['page_id', 'left_group_id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    beat_group_id: p.integer().strictNullable(),
    /** The group that it has left, and that has yet to let go of what it told of it: until then it does not act. */
    left_group_id: p.integer().strictNullable(),
    name: p.text(),
    description: p.text(),
    external_id: p.text().strictNullable(),
    /** What the creating request said, so that a retry is told from another request under the same external id. */
    create_hash: p.text().strictNullable(),
    type: p.text(),
    /** As it may be shown: its secrets are under `beat:{id}` among the page's secrets. */
    target: json<Record<string, unknown>>(),
    interval_seconds: p.integer(),
    timeout_ms: p.integer(),
    regions: json<string[]>(),
    threshold_policies: json<Record<string, unknown>>(),
    action_policies: json<Record<string, unknown>>(),
    message_policies: json<Record<string, unknown>>(),
    impact: p.text().strictNullable(),
    affected_items_freetext: p.text().strictNullable(),
    enabled: p.boolean(),
    automation_paused: p.boolean(),
    automation_pause_reason: p.text().strictNullable(),
    muted_until: moment().strictNullable(),
    public_metrics_enabled: p.boolean(),
    public_metrics_component_id: p.integer().strictNullable(),
    public_metrics_label: p.text().strictNullable(),
    public_metrics_max_range: p.text().strictNullable(),
    /** Rises with every change that those who check it must know: its shard then reads it anew. */
    config_version: p.integer(),
    current_stage: p.text().strictNullable(),
    /** Nobody checks it at present, and why; its stage is the last that was known. */
    unknown_since: moment().strictNullable(),
    unknown_because: p.text().strictNullable(),
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
  },
})
export type Beat = InferEntity<typeof Beat>
