import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A recipient of notifications: an email address or a webhook. */
export const Subscriber = defineEntity({
  name: 'Subscriber',
  tableName: 'subscriber',
  policies: pagePolicies(),
  uniques: [
    { name: 'subscriber_address_key', properties: ['page_id', 'channel', 'address'] },
    { name: 'subscriber_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [{ name: 'subscriber_state_idx', properties: ['page_id', 'state', 'id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    channel: p.text().$type<'email' | 'webhook'>(),
    /** The email address in lower case, or the URL. */
    address: p.text(),
    shown_address: p.text(),
    state: p.text().$type<'pending' | 'active' | 'unsubscribed' | 'suppressed' | 'disabled'>(),
    /** Absent: the language of the page. */
    locale: p.text().strictNullable(),
    /** Absent: the time zone of the page. */
    time_zone: p.text().strictNullable(),
    frequency: p.text().$type<'immediate' | 'daily'>(),
    source: p.text().$type<'public' | 'admin' | 'import'>(),
    confirmed_at: moment().strictNullable(),
    unsubscribed_at: moment().strictNullable(),
    suppressed_at: moment().strictNullable(),
    suppression_reason: p.text().strictNullable(),
    /** The bounces in a row. */
    bounce_count: p.integer(),
    /** The last bounce. */
    bounced_at: moment().strictNullable(),
    /** How many confirmation mails were asked for. */
    confirmation_number: p.integer(),
    confirmation_sent_at: moment().strictNullable(),
    /** Until then a webhook is signed with the previous secret, too. */
    previous_secret_until: moment().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Subscriber = InferEntity<typeof Subscriber>
