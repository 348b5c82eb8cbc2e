import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const Incident = defineEntity({
  name: 'Incident',
  tableName: 'incident',
  policies: pagePolicies(),
  uniques: [
    { name: 'incident_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'incident_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [
    { name: 'incident_list_idx', properties: ['page_id', 'started_at', 'id'] },
    { name: 'incident_created_idx', properties: ['page_id', 'created_at', 'id'] },
    {
      name: 'incident_open_idx',
      expression: 'create index "incident_open_idx" on "incident" ("page_id", "id") where (resolved_at is null)',
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    title: p.text(),
    description: p.text(),
    status: p.text(),
    initial_status: p.text(),
    impact: p.text().strictNullable(),
    affected_items_freetext: p.text().strictNullable(),
    lifecycle_stage_id: p.integer().strictNullable(),
    chat_channel_id: p.text().strictNullable(),
    external_id: p.text().strictNullable(),
    /** The hashes of the creating request, which distinguish a retry from another request with the same external id. */
    create_hash: p.text().strictNullable(),
    reminder_interval_minutes: p.integer().strictNullable(),
    /** Reminders count from here: the last update, or the last change of the interval. */
    reminders_from: moment(),
    /** The due moment of the last reminder; bookkeeping, which does not raise `version`. */
    reminded_until: moment().strictNullable(),
    /** The alert of a long incident counts from here: the opening, or the last entry of the timeline. */
    quiet_from: moment(),
    /** The `quiet_from` that an alert was written for. */
    alerted_for: moment().strictNullable(),
    started_at: moment(),
    acknowledged_at: moment().strictNullable(),
    resolved_at: moment().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Incident = InferEntity<typeof Incident>
