import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, moment, pageId, wall } from './columns.ts'

/** When the other side is to call: of the target, what a call needs to know. */
export interface Schedule {
  period_seconds?: number | undefined
  cron?: string | undefined
  timezone?: string | undefined
  grace_seconds?: number | undefined
}

/** When the other side of a heartbeat called last, and until when it is to call again. A call is one update of this row. */
export const Heartbeat = defineEntity({
  name: 'Heartbeat',
  tableName: 'heartbeat',
  policies: wall(),
  uniques: [{ name: 'heartbeat_token_key', properties: ['token_hash'] }],
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    page_id: pageId(),
    /** SHA-256; the token itself is under `heartbeat:{id}` among the page's secrets. */
    token_hash: p.text(),
    /** Kept here as well, so that a call reads and writes this row alone. */
    schedule: json<Schedule>(),
    /** The beat is healthy and so was the last call: another success changes nothing but this row. */
    quiet: p.boolean(),
    /** The moment after which silence is a failure. */
    due_at: moment(),
    last_call_at: moment().strictNullable(),
    last_call: p.text().strictNullable(),
    /** Said by `/start`; until the end is told, or forgotten with the next start. */
    started_at: moment().strictNullable(),
    duration_ms: p.integer().strictNullable(),
    /** Failures in a row, told or kept silent. */
    failures: p.integer(),
    successes: p.integer(),
  },
})
export type Heartbeat = InferEntity<typeof Heartbeat>
