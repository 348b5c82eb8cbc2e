import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, moment, pagePolicies } from './columns.ts'

/** The settings of a page. A setting that is absent or null has the default of the schema in the domain. */
export const PageSettings = defineEntity({
  name: 'PageSettings',
  tableName: 'page_settings',
  policies: pagePolicies(),
  properties: {
    page_id: p.integer().primary().autoincrement(false),
    values: json<Record<string, unknown>>(),
    version: p.integer(),
    updated_at: moment(),
  },
})
export type PageSettings = InferEntity<typeof PageSettings>
