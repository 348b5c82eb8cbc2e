import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** What a subscriber wants to be informed of. */
export const Subscription = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  policies: pagePolicies(),
  indexes: [
    { name: 'subscription_subscriber_idx', properties: ['page_id', 'subscriber_id'] },
    { name: 'subscription_view_idx', properties: ['page_id', 'view_id'], where: 'view_id is not null' },
    // Both answer quickly whether a page has a subscription for events that few subscriptions name.
    { name: 'subscription_internal_idx', properties: ['page_id'], where: 'internal' },
    {
      name: 'subscription_item_status_idx',
      properties: ['page_id'],
      where: `event_kinds @> '["item.status_changed"]'::jsonb`,
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    subscriber_id: p.integer(),
    scope_kind: p.text().$type<'page' | 'items' | 'view'>(),
    /** The ids of the items of the scope, which includes what is below them. */
    items: json<number[]>(),
    view_id: p.integer().strictNullable(),
    event_kinds: json<string[]>(),
    /** Made by an admin, for events that the public does not see. */
    internal: p.boolean(),
    enabled: p.boolean(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Subscription = InferEntity<typeof Subscription>
