import type { Schedule } from '../entities/heartbeat.ts'
import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

/** A call names a token and no page, so the row is found across pages. */

export interface RecordedCall {
  hash: string
  at: Date
  name: string
  /** The next due moment of a cron expression, which SQL cannot compute. Applied only if the row still has that schedule. */
  next?: { schedule: Schedule; due: Date }
}

/** Nearly all calls need only this statement. False if the call may change the stage, such as a late call. */
export async function recordSuccess(system: Orm, { hash, at, name, next }: RecordedCall): Promise<boolean> {
  const schedule = next ? JSON.stringify(next.schedule) : null
  const recorded = await run(
    system.em,
    sql`update heartbeat set last_call = ${name}, last_call_at = greatest(${at}::timestamptz, last_call_at),
        duration_ms = case when started_at is not null
          then least(extract(epoch from ${at}::timestamptz - started_at) * 1000, 2147483647)::int end,
        started_at = null,
        failures = 0, successes = least(successes, 1000000) + 1,
        due_at = coalesce(${next?.due ?? null}::timestamptz, ${at}::timestamptz + interval '1 second'
          * ((schedule->>'period_seconds')::int + coalesce((schedule->>'grace_seconds')::int, 0)))
      where token_hash = ${hash} and quiet and due_at >= ${at}
        and (schedule->>'period_seconds' is not null or schedule = ${schedule}::jsonb)
      returning beat_id`,
  )
  return recorded.length > 0
}

export async function recordStart(system: Orm, { hash, at, name }: RecordedCall): Promise<boolean> {
  const recorded = await run(
    system.em,
    sql`update heartbeat
      set last_call = ${name}, last_call_at = greatest(${at}::timestamptz, last_call_at), started_at = ${at}
      where token_hash = ${hash} returning beat_id`,
  )
  return recorded.length > 0
}

export interface FoundHeartbeat {
  beat_id: number
  page_id: number
  schedule: Schedule
  quiet: boolean
  due_at: Date
}

export async function findHeartbeat(system: Orm, hash: string): Promise<FoundHeartbeat | undefined> {
  const [row] = await run<FoundHeartbeat>(
    system.em,
    sql`select beat_id, page_id, schedule, quiet, due_at from heartbeat where token_hash = ${hash}`,
  )
  return row && { ...row, due_at: new Date(row.due_at) }
}
