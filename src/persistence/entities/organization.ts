import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pagePolicies } from './columns.ts'

export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  policies: pagePolicies('(id = current_organization())'),
  properties: {
    id: id(),
    name: p.text(),
    slug: p.text().unique('organization_slug_key'),
    created_at: moment(),
  },
})
export type Organization = InferEntity<typeof Organization>
