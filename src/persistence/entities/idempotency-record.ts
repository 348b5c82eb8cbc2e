import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** The answer to a request with an `Idempotency-Key`, written in the transaction of its operation. */
export const IdempotencyRecord = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  policies: pagePolicies(),
  uniques: [{ name: 'idempotency_record_key', properties: ['page_id', 'actor', 'key'] }],
  indexes: [{ name: 'idempotency_record_created_idx', properties: ['created_at'] }],
  properties: {
    id: bigId(),
    page_id: pageId(),
    actor: p.text(),
    key: p.text(),
    request_hash: p.text(),
    existing: p.boolean(),
    output: json<unknown>(),
    created_at: moment(),
  },
})
export type IdempotencyRecord = InferEntity<typeof IdempotencyRecord>
