import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** A notification. Its natural key makes it unique, so that a retried step writes no second notification. */
export const NotificationEvent = defineEntity({
  name: 'NotificationEvent',
  tableName: 'notification_event',
  policies: pagePolicies(),
  uniques: [{ name: 'notification_event_natural_key', properties: ['page_id', 'natural_key'] }],
  indexes: [{ name: 'notification_event_subject_idx', properties: ['page_id', 'subject_kind', 'subject_id', 'id'] }],
  properties: {
    id: bigId(),
    page_id: pageId(),
    key: p.text(),
    natural_key: p.text(),
    subject_kind: p.text(),
    subject_id: p.integer(),
    due_at: moment(),
    created_at: moment(),
    late: p.boolean(),
    missed: p.integer(),
    state: p.text(),
    data: json<Record<string, unknown>>(),
  },
})
export type NotificationEvent = InferEntity<typeof NotificationEvent>
