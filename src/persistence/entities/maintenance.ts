import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, wall } from './columns.ts'

export const Maintenance = defineEntity({
  name: 'Maintenance',
  tableName: 'maintenance',
  policies: wall(),
  uniques: [
    { name: 'maintenance_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'maintenance_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [
    { name: 'maintenance_series_idx', properties: ['page_id', 'series_id', 'id'] },
    { name: 'maintenance_list_idx', properties: ['page_id', 'listed_at', 'id'] },
    {
      name: 'maintenance_open_idx',
      expression:
        'create index "maintenance_open_idx" on "maintenance" ("page_id", "status", "id") where (ended_at is null)',
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    title: p.text(),
    description: p.text(),
    status: p.text(),
    impact: p.text().strictNullable(),
    affected_items_freetext: p.text().strictNullable(),
    lifecycle_stage_id: p.integer().strictNullable(),
    chat_channel_id: p.text().strictNullable(),
    external_id: p.text().strictNullable(),
    /** The series that it is a window of. */
    series_id: p.integer().strictNullable(),
    /** What the creating request said, so that a retry is told from another request under the same external id. */
    create_hash: p.text().strictNullable(),
    scheduled_start_time: moment().strictNullable(),
    scheduled_end_time: moment().strictNullable(),
    auto_transition_enabled: p.boolean(),
    auto_transition_start_message: p.text().strictNullable(),
    auto_transition_complete_message: p.text().strictNullable(),
    /** When it really started, and when it really ended, be that by completion or by being cancelled. */
    started_at: moment().strictNullable(),
    ended_at: moment().strictNullable(),
    /** Reminders up to here are settled: only later ones come due. Bookkeeping, so it does not raise `version`. */
    reminders_from: moment(),
    /** Its place in lists: the scheduled start, or its creation while it has none. */
    listed_at: moment(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Maintenance = InferEntity<typeof Maintenance>
