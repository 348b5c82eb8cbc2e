import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, wall } from './columns.ts'

/** Somebody wants a check now: of a beat, or of one that is not saved. The row is both the question and its answer. */
export const CheckRequest = defineEntity({
  name: 'CheckRequest',
  tableName: 'check_request',
  policies: wall(),
  properties: {
    id: bigId(),
    page_id: pageId(),
    /** Null for one that is not saved: then `asked` says all of it, but for the secrets under `check:{id}`. */
    beat_id: p.integer().strictNullable(),
    region: p.text(),
    asked: json<Record<string, unknown>>(),
    outcome: json<Record<string, unknown>>().strictNullable(),
    created_at: moment(),
    answered_at: moment().strictNullable(),
  },
})
export type CheckRequest = InferEntity<typeof CheckRequest>
