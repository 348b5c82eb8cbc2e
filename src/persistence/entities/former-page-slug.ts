import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, wall } from './columns.ts'

/** A public slug that a page had before it was renamed. Of several pages that had it the last one counts. */
export const FormerPageSlug = defineEntity({
  name: 'FormerPageSlug',
  tableName: 'former_page_slug',
  policies: wall(),
  properties: {
    page_id: p.integer().primary(),
    slug: p.text().primary(),
    retired_at: moment(),
  },
})
export type FormerPageSlug = InferEntity<typeof FormerPageSlug>
