import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** An address that takes events of another system. Its tokens and counts are in tables that an event may write. */
export const IngestEndpoint = defineEntity({
  name: 'IngestEndpoint',
  tableName: 'ingest_endpoint',
  policies: pagePolicies(),
  uniques: [
    { name: 'ingest_endpoint_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'ingest_endpoint_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    external_id: p.text().strictNullable(),
    create_hash: p.text().strictNullable(),
    name: p.text(),
    description: p.text(),
    provider_type: p.text(),
    enabled: p.boolean(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type IngestEndpoint = InferEntity<typeof IngestEndpoint>
