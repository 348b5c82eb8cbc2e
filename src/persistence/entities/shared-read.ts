import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, moment, pagePolicies } from './columns.ts'

/**
 * An answer to the public that one API process has made and the others take, or that a process is making until a moment.
 * The table is not logged: after a crash of the database it is empty.
 */
export const SharedRead = defineEntity({
  name: 'SharedRead',
  tableName: 'shared_read',
  policies: pagePolicies(),
  properties: {
    page_id: p.integer().primary().autoincrement(false),
    key: p.text().primary(),
    making_by: p.text(),
    making_until: moment(),
    made_at: moment().nullable(),
    revision: p.text().nullable(),
    headers: json<Record<string, string>>().nullable(),
    content: p.text().nullable(),
    body: p.blob().nullable(),
  },
})
export type SharedRead = InferEntity<typeof SharedRead>
