import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, pagePolicies } from './columns.ts'

/** The counts of an endpoint, apart from the endpoint, so that an event never waits for a change or an evaluation. */
export const IngestCount = defineEntity({
  name: 'IngestCount',
  tableName: 'ingest_count',
  policies: pagePolicies(),
  properties: {
    endpoint_id: p.integer().primary().autoincrement(false),
    page_id: pageId(),
    event_count: p.bigint('number'),
    refused_count: p.bigint('number'),
    last_used_at: moment().strictNullable(),
  },
})
export type IngestCount = InferEntity<typeof IngestCount>
