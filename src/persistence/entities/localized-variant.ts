import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** The texts of a record in another language. Deleted with the record, by code because no foreign key fits all kinds. */
export const LocalizedVariant = defineEntity({
  name: 'LocalizedVariant',
  tableName: 'localized_variant',
  policies: pagePolicies(),
  uniques: [{ name: 'localized_variant_key', properties: ['page_id', 'subject_kind', 'subject_id', 'locale'] }],
  indexes: [
    {
      name: 'localized_variant_published_idx',
      expression: `create index "localized_variant_published_idx" on "localized_variant" ("page_id", "locale") where (state = 'published')`,
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    subject_kind: p.text(),
    subject_id: p.integer(),
    locale: p.text(),
    state: p.text(),
    values: json<Record<string, string>>(),
    version: p.integer(),
    updated_at: moment(),
  },
})
export type LocalizedVariant = InferEntity<typeof LocalizedVariant>
