import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pagePolicies } from './columns.ts'

/** A former public slug of a page. A slug that several pages had belongs to the last of them. */
export const FormerPageSlug = defineEntity({
  name: 'FormerPageSlug',
  tableName: 'former_page_slug',
  policies: pagePolicies(),
  properties: {
    page_id: p.integer().primary(),
    slug: p.text().primary(),
    retired_at: moment(),
  },
})
export type FormerPageSlug = InferEntity<typeof FormerPageSlug>
