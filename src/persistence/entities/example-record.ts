import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, pagePolicies } from './columns.ts'

/** A record of the example that the first start created, with the initial values of the fields that a person can change. */
export const ExampleRecord = defineEntity({
  name: 'ExampleRecord',
  tableName: 'example_record',
  policies: pagePolicies(),
  properties: {
    page_id: p.integer().primary(),
    kind: p.text().$type<'item' | 'incident' | 'series'>().primary(),
    record_id: p.integer().primary(),
    as_made: json<Record<string, unknown>>(),
  },
})
export type ExampleRecord = InferEntity<typeof ExampleRecord>
