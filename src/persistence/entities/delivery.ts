import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

export type DeliveryState = 'queued' | 'sent' | 'failed' | 'retrying' | 'suppressed' | 'dead'

export interface AttemptRow {
  at: string
  status_code?: number
  smtp_code?: number
  answer: string
  duration_ms: number
}

/** What is sent of a notification to one address. */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  policies: pagePolicies(),
  uniques: [{ name: 'delivery_recipient_key', properties: ['page_id', 'notification_id', 'channel', 'address'] }],
  indexes: [
    {
      name: 'delivery_pending_idx',
      properties: ['page_id', 'notification_id', 'channel', 'next_attempt_at', 'id'],
      where: 'next_attempt_at is not null and not digest',
    },
    {
      name: 'delivery_digest_idx',
      properties: ['page_id', 'next_attempt_at'],
      where: 'digest and next_attempt_at is not null',
    },
    { name: 'delivery_subscriber_idx', properties: ['page_id', 'subscriber_id', 'id'] },
    {
      name: 'delivery_digest_subscriber_idx',
      properties: ['page_id', 'subscriber_id', 'id'],
      where: 'digest and next_attempt_at is not null',
    },
    { name: 'delivery_notification_idx', properties: ['page_id', 'notification_id', 'id'] },
    { name: 'delivery_state_idx', properties: ['page_id', 'state', 'id'], where: "state <> 'sent'" },
    { name: 'delivery_in_app_idx', properties: ['page_id', 'id'], where: "channel = 'in_app'" },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    notification_id: p.bigint('number'),
    subscriber_id: p.integer().strictNullable(),
    channel: p.text().$type<'email' | 'webhook' | 'in_app'>(),
    /** The address as compared; of a deleted subscriber only its id. */
    address: p.text(),
    state: p.text().$type<DeliveryState>(),
    /** Why the delivery was suppressed, failed, or given up. */
    reason: p.text().strictNullable(),
    attempts: json<AttemptRow[]>(),
    /** Part of the daily mail of the subscriber. */
    digest: p.boolean(),
    /** Null once no attempt follows. */
    next_attempt_at: moment().strictNullable(),
    /** No other attempt begins before. */
    claimed_until: moment().strictNullable(),
    sent_at: moment().strictNullable(),
    read_at: moment().strictNullable(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Delivery = InferEntity<typeof Delivery>
