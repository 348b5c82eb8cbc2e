import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, moment, pageId, pagePolicies } from './columns.ts'

/** The schedule of calls, which is part of the target. */
export interface Schedule {
  period_seconds?: number | undefined
  cron?: string | undefined
  timezone?: string | undefined
  grace_seconds?: number | undefined
}

/** The last call of a heartbeat, and the moment by which the next call is due. A call is one update of this row. */
export const Heartbeat = defineEntity({
  name: 'Heartbeat',
  tableName: 'heartbeat',
  policies: pagePolicies(),
  uniques: [{ name: 'heartbeat_token_key', properties: ['token_hash'] }],
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    page_id: pageId(),
    /** SHA-256; the token itself is under `heartbeat:{id}` among the secrets of the page. */
    token_hash: p.text(),
    /** A copy of the schedule of the target, so that a call reads and writes only this row. */
    schedule: json<Schedule>(),
    /** The beat is healthy and the last call reported success: another success changes only this row. */
    quiet: p.boolean(),
    /** A call that has not arrived by this moment is missed. */
    due_at: moment(),
    last_call_at: moment().strictNullable(),
    last_call: p.text().strictNullable(),
    /** The moment of the last `/start`, until the end of that run is reported. */
    started_at: moment().strictNullable(),
    duration_ms: p.integer().strictNullable(),
    /** Failures in a row: reported failures and missed calls. */
    failures: p.integer(),
    successes: p.integer(),
  },
})
export type Heartbeat = InferEntity<typeof Heartbeat>
