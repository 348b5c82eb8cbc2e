import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, wall } from './columns.ts'

/** A maintenance that recurs: what its windows are made from, and how far they have been made. */
export const MaintenanceSeries = defineEntity({
  name: 'MaintenanceSeries',
  tableName: 'maintenance_series',
  policies: wall(),
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
    /** What the creating request said, so that a retry is told from another request under the same external id. */
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
    /** `HH:mm` and `YYYY-MM-DD` on the clocks of the zone: as instants they would move with its rules. */
    start_time: p.text(),
    start_date: p.text(),
    ends_on: p.text().strictNullable(),
    /** No window starts behind this moment; for those who say the end as one rather than as a date. */
    recurrence_end_time: moment().strictNullable(),
    /** Behind the minute of `start_time`, for a plain create whose start was said to the second. */
    offset_ms: p.integer(),
    duration_minutes: p.integer(),
    generate_months: p.integer(),
    max_occurrences: p.integer().strictNullable(),
    /** Occurrences that start before this moment are settled: made, skipped or passed over. */
    settled_until: moment(),
    /** The index of the first that is not. Indexes are never given twice. */
    next_index: p.integer(),
    /** How many of `max_occurrences` the settled ones have used up. */
    taken: p.integer(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type MaintenanceSeries = InferEntity<typeof MaintenanceSeries>
