import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { actingColumns } from './acting.ts'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** A beat. Its results are in `beat_result`: a check without a stage change writes one row there and none here. */
export const Beat = defineEntity({
  name: 'Beat',
  tableName: 'beat',
  policies: pagePolicies(),
  uniques: [
    { name: 'beat_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'beat_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [{ name: 'beat_group_idx', properties: ['page_id', 'beat_group_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    beat_group_id: p.integer().strictNullable(),
    /** The stage with which the beat counts in its group. While the beat is suppressed, the stage from before that. */
    counted_stage: p.text().strictNullable(),
    type: p.text(),
    /** The visible part; the secrets are under `beat:{id}` among the secrets of the page. */
    target: json<Record<string, unknown>>(),
    interval_seconds: p.integer(),
    timeout_ms: p.integer(),
    regions: json<string[]>(),
    threshold_policies: json<Record<string, unknown>>(),
    enabled: p.boolean(),
    public_metrics_enabled: p.boolean(),
    public_metrics_component_id: p.integer().strictNullable(),
    public_metrics_label: p.text().strictNullable(),
    public_metrics_max_range: p.text().strictNullable(),
    /** Rises with every change that affects checks: the shard then reads the beat again. */
    config_version: p.integer(),
    /** The number of the present target. Results of earlier targets do not count for the stage. */
    target_number: p.integer().default(0),
    /** Since when and why the stage is unknown. `current_stage` is then the last known stage. */
    unknown_since: moment().strictNullable(),
    unknown_because: p.text().strictNullable(),
    ...actingColumns(),
  },
})
export type Beat = InferEntity<typeof Beat>
