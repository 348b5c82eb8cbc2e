import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'
import type { Associations, ConditionTree, OutputMapping, SafetySettings, StageMapping } from './trigger-parts.ts'

/** A rule that turns events of one endpoint into stages of beats. */
export const EventTrigger = defineEntity({
  name: 'EventTrigger',
  tableName: 'event_trigger',
  policies: pagePolicies(),
  uniques: [
    { name: 'event_trigger_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'event_trigger_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [{ name: 'event_trigger_source_idx', properties: ['page_id', 'source_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    external_id: p.text().strictNullable(),
    create_hash: p.text().strictNullable(),
    name: p.text(),
    source_id: p.integer(),
    enabled: p.boolean(),
    draft: p.boolean(),
    each_path: p.text().strictNullable(),
    conditions: json<ConditionTree | null>().strictNullable(),
    stage_mapping: json<StageMapping>(),
    output_mapping: json<OutputMapping>(),
    safety_settings: json<SafetySettings>(),
    associations: json<Associations>(),
    silence_minutes: p.integer().strictNullable(),
    match_count: p.bigint('number'),
    last_matched_at: moment().strictNullable(),
    /** How many evaluations in a row were too expensive. */
    expensive_count: p.integer(),
    disabled_because: p.text().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type EventTrigger = InferEntity<typeof EventTrigger>
