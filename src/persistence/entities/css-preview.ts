import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** Custom CSS that is shown by a token and not stored in the settings. */
export const CssPreview = defineEntity({
  name: 'CssPreview',
  tableName: 'css_preview',
  policies: pagePolicies(),
  indexes: [{ name: 'css_preview_page_id_idx', properties: ['page_id', 'expires_at'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    css: p.text(),
    expires_at: moment(),
  },
})
export type CssPreview = InferEntity<typeof CssPreview>
