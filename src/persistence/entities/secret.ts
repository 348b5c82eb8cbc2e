import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** An encrypted value that the service uses and never shows, with the id of its encryption key. */
export const Secret = defineEntity({
  name: 'Secret',
  tableName: 'secret',
  policies: pagePolicies(),
  uniques: [{ name: 'secret_name_key', properties: ['page_id', 'name'] }],
  properties: {
    id: bigId(),
    page_id: pageId(),
    name: p.text(),
    key_id: p.text(),
    ciphertext: p.text(),
    updated_at: moment(),
  },
})
export type Secret = InferEntity<typeof Secret>
