import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, pagePolicies } from './columns.ts'

/** A token of an endpoint, by its SHA-256. One token of an endpoint is active: it has no end. */
export const IngestToken = defineEntity({
  name: 'IngestToken',
  tableName: 'ingest_token',
  policies: pagePolicies(),
  indexes: [
    {
      name: 'ingest_token_active_idx',
      expression:
        'create unique index "ingest_token_active_idx" on "ingest_token" ("page_id", "endpoint_id") where (expires_at is null)',
    },
  ],
  properties: {
    hash: p.text().primary(),
    page_id: pageId(),
    endpoint_id: p.integer(),
    prefix: p.text(),
    created_at: moment(),
    /** From this moment on the token is refused. */
    expires_at: moment().strictNullable(),
    /** When the process of the endpoint recorded the end. */
    ended_at: moment().strictNullable(),
  },
})
export type IngestToken = InferEntity<typeof IngestToken>
