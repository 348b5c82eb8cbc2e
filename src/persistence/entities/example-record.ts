import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, wall } from './columns.ts'

/** A record that the first start made for the example, with what a person can change of the record as it was then. */
export const ExampleRecord = defineEntity({
  name: 'ExampleRecord',
  tableName: 'example_record',
  policies: wall(),
  properties: {
    page_id: p.integer().primary(),
    kind: p.text().$type<'item' | 'incident' | 'series'>().primary(),
    record_id: p.integer().primary(),
    as_made: json<Record<string, unknown>>(),
  },
})
export type ExampleRecord = InferEntity<typeof ExampleRecord>
