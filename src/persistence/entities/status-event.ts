import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A change of the status of an item. Uptime is computed from status events; a correction is marked on the event. */
export const StatusEvent = defineEntity({
  name: 'StatusEvent',
  tableName: 'status_event',
  policies: pagePolicies(),
  indexes: [{ name: 'status_event_item_idx', properties: ['page_id', 'item_id', 'event_time', 'id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    item_id: p.integer(),
    status: p.text(),
    previous_status: p.text(),
    event_time: moment(),
    original_event_time: moment(),
    cause_kind: p.text(),
    cause_id: p.integer().strictNullable(),
    corrected_at: moment().strictNullable(),
    corrected_by: p.integer().strictNullable(),
    correction_note: p.text().strictNullable(),
  },
})
export type StatusEvent = InferEntity<typeof StatusEvent>
