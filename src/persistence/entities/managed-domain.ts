import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A host name of a customer. Only an active host name leads to its page. */
export const ManagedDomain = defineEntity({
  name: 'ManagedDomain',
  tableName: 'managed_domain',
  policies: pagePolicies(),
  properties: {
    id: id(),
    page_id: pageId(),
    hostname: p.text().unique('managed_domain_hostname_key'),
    active: p.boolean(),
    created_at: moment(),
  },
})
export type ManagedDomain = InferEntity<typeof ManagedDomain>
