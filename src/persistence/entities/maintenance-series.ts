import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A series of maintenances: the rule and the fields of its maintenances, and how far they have been created. */
export const MaintenanceSeries = defineEntity({
  name: 'MaintenanceSeries',
  tableName: 'maintenance_series',
  policies: pagePolicies(),
  uniques: [
    { name: 'maintenance_series_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'maintenance_series_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    title: p.text(),
    description: p.text(),
    impact: p.text().strictNullable(),
    affected_items_freetext: p.text().strictNullable(),
    lifecycle_stage_id: p.integer().strictNullable(),
    chat_channel_id: p.text().strictNullable(),
    external_id: p.text().strictNullable(),
    /** The hashes of the creating request, which distinguish a retry from another request with the same external id. */
    create_hash: p.text().strictNullable(),
    auto_transition_enabled: p.boolean(),
    auto_transition_start_message: p.text().strictNullable(),
    auto_transition_complete_message: p.text().strictNullable(),
    status: p.text(),
    recurrence_type: p.text(),
    recurrence_rule: p.text().strictNullable(),
    interval_weeks: p.integer().strictNullable(),
    weekday: p.integer().strictNullable(),
    ordinal_week: p.integer().strictNullable(),
    timezone: p.text(),
    /** `HH:mm` and `YYYY-MM-DD` in local time of the timezone: instants would shift when the rules of the timezone change. */
    start_time: p.text(),
    start_date: p.text(),
    ends_on: p.text().strictNullable(),
    /** The last moment at which a maintenance may start; set by requests that name the end as a moment, not as a date. */
    recurrence_end_time: moment().strictNullable(),
    /** Added to the minute of `start_time`, for a create whose start has seconds. */
    offset_ms: p.integer(),
    duration_minutes: p.integer(),
    generate_months: p.integer(),
    max_occurrences: p.integer().strictNullable(),
    /** Occurrences that start before this moment are settled: created, skipped or left out. */
    settled_until: moment(),
    /** The index of the first occurrence that is not settled. An index is never used twice. */
    next_index: p.integer(),
    /** How many of `max_occurrences` the settled occurrences have used. */
    taken: p.integer(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type MaintenanceSeries = InferEntity<typeof MaintenanceSeries>
