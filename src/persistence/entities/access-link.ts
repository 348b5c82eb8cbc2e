import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A link that lets its holder read a page until a moment. */
export const AccessLink = defineEntity({
  name: 'AccessLink',
  tableName: 'access_link',
  policies: pagePolicies(),
  indexes: [{ name: 'access_link_page_id_idx', properties: ['page_id', 'expires_at'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    name: p.text(),
    prefix: p.text().unique('access_link_prefix_key'),
    hash: p.text(),
    created_at: moment(),
    created_by: p.text(),
    expires_at: moment(),
  },
})
export type AccessLink = InferEntity<typeof AccessLink>
