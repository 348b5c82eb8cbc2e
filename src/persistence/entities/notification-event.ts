import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

export interface Variant {
  locale: string
  values: Record<string, unknown>
}

/** The translations of what a notification names: items and stages by id, statuses by key, and the page. */
interface NameVariants {
  items: Record<string, Variant[]>
  stages: Record<string, Variant[]>
  statuses: Record<string, Variant[]>
  page: Variant[]
}

/** What a notification is about. Records are as the public reads them, or of internal events as admins read them. */
export interface Content {
  /** Rises with each notification of the subject. */
  sequence: number
  page: { id: number; name: string; url: string }
  /** The languages of the page; notifications of older versions of the service have none. */
  languages?: { original: string; offered: string[] }
  /** The view that the recipient reads, for a subscriber of views alone. */
  view_code?: string
  record: Record<string, unknown>
  /** The entry of the timeline that the notification is about. */
  update?: Record<string, unknown>
  /** Summaries of the affected items. */
  items: { id: number; name: string; [field: string]: unknown }[]
  /**
   * The items whose subscribers get the notification: the affected items and those that were affected before. Notifications of
   * older versions of the service have none.
   */
  reached?: number[]
  /** The reached items and all items above them, by which scopes are compared. */
  scope: number[]
  /** The names of the status types of the page, by their keys. */
  statuses: Record<string, string>
  /** Published translations. Notifications of older versions of the service have no `names`. */
  translations: { record: Variant[]; update: Variant[]; names?: NameVariants }
}

/** A notification. Its natural key makes it unique, so that a retried step writes no second notification. */
export const NotificationEvent = defineEntity({
  name: 'NotificationEvent',
  tableName: 'notification_event',
  policies: pagePolicies(),
  uniques: [
    { name: 'notification_event_natural_key', properties: ['page_id', 'natural_key'] },
    { name: 'notification_event_wall_key', properties: ['page_id', 'id'] },
  ],
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
    state: p.text().$type<'queued' | 'sending' | 'done' | 'no_recipient'>(),
    data: json<Record<string, unknown>>(),
    /** What all deliveries contain: the record as it was when the recipients were found. */
    content: json<Content>().strictNullable(),
    /** The id of the last subscriber that was looked at; null before the first one. */
    expanded_to: p.integer().strictNullable(),
    /** How many subscribers got no delivery, by the reason. */
    left_out: json<Record<string, number>>().default('{}'),
    /** Why the notification was never to be sent, such as `notify_false`. */
    withheld: p.text().strictNullable(),
  },
})
export type NotificationEvent = InferEntity<typeof NotificationEvent>
