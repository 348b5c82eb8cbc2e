import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const Maintenance = defineEntity({
  name: 'Maintenance',
  tableName: 'maintenance',
  policies: pagePolicies(),
  uniques: [
    { name: 'maintenance_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'maintenance_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [
    { name: 'maintenance_series_idx', properties: ['page_id', 'series_id', 'id'] },
    { name: 'maintenance_list_idx', properties: ['page_id', 'listed_at', 'id'] },
    { name: 'maintenance_created_idx', properties: ['page_id', 'created_at', 'id'] },
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
    /** The series that has created the maintenance. */
    series_id: p.integer().strictNullable(),
    /** The hashes of the creating request, which distinguish a retry from another request with the same external id. */
    create_hash: p.text().strictNullable(),
    scheduled_start_time: moment().strictNullable(),
    scheduled_end_time: moment().strictNullable(),
    auto_transition_enabled: p.boolean(),
    auto_transition_start_message: p.text().strictNullable(),
    auto_transition_complete_message: p.text().strictNullable(),
    /** The actual start, and the actual end by completion or cancellation. */
    started_at: moment().strictNullable(),
    ended_at: moment().strictNullable(),
    /** Reminders before this moment are settled. Bookkeeping, which does not raise `version`. */
    reminders_from: moment(),
    /** The sort key of lists: the scheduled start, or the creation without a scheduled start. */
    listed_at: moment(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Maintenance = InferEntity<typeof Maintenance>
