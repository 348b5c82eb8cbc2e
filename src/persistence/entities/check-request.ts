import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** A requested check of a beat, or of a beat that is not saved, with its outcome. */
export const CheckRequest = defineEntity({
  name: 'CheckRequest',
  tableName: 'check_request',
  policies: pagePolicies(),
  properties: {
    id: bigId(),
    page_id: pageId(),
    /** Null for a beat that is not saved: `asked` has its fields, and its secrets are under `check:{id}`. */
    beat_id: p.integer().strictNullable(),
    region: p.text(),
    asked: json<Record<string, unknown>>(),
    outcome: json<Record<string, unknown>>().strictNullable(),
    created_at: moment(),
    answered_at: moment().strictNullable(),
  },
})
export type CheckRequest = InferEntity<typeof CheckRequest>
