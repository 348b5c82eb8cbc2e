import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A status event that a correction removed. Readers see it on the page of its item. */
export const RemovedStatusEvent = defineEntity({
  name: 'RemovedStatusEvent',
  tableName: 'removed_status_event',
  policies: pagePolicies(),
  indexes: [{ name: 'removed_status_event_item_idx', properties: ['page_id', 'item_id', 'event_time'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    item_id: p.integer(),
    status: p.text(),
    event_time: moment(),
    removed_at: moment(),
  },
})
export type RemovedStatusEvent = InferEntity<typeof RemovedStatusEvent>
