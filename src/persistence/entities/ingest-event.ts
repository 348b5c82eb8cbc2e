import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** An event as it was accepted. The raw body never leaves the service; the redacted copy is made by the evaluation. */
export const IngestEvent = defineEntity({
  name: 'IngestEvent',
  tableName: 'ingest_event',
  policies: pagePolicies(),
  uniques: [{ name: 'ingest_event_wall_key', properties: ['page_id', 'id'] }],
  indexes: [
    { name: 'ingest_event_endpoint_idx', properties: ['page_id', 'endpoint_id', 'id'] },
    { name: 'ingest_event_received_idx', properties: ['received_at'] },
    {
      name: 'ingest_event_pending_idx',
      expression:
        'create index "ingest_event_pending_idx" on "ingest_event" ("page_id", "endpoint_id", "id") where (state = \'pending\')',
    },
    {
      name: 'ingest_event_delivery_key',
      expression:
        'create unique index "ingest_event_delivery_key" on "ingest_event" ("endpoint_id", "delivery_key") where (delivery_key is not null)',
    },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    endpoint_id: p.integer(),
    received_at: moment(),
    /** JSON as text. */
    body: p.text(),
    headers: json<Record<string, string[]>>(),
    size: p.integer(),
    /** Identifies a repeated delivery: the hash of its `Idempotency-Key` or `webhook-id`. */
    delivery_key: p.text().strictNullable(),
    state: p.text().$type<'pending' | 'evaluated'>(),
    /** An evaluation that took long goes on behind this trigger in the next step. */
    evaluated_up_to: p.integer().strictNullable(),
    redacted: p.text().strictNullable(),
    confirmation_url: p.text().strictNullable(),
  },
})
export type IngestEvent = InferEntity<typeof IngestEvent>
