import type { Schedule } from '../entities/heartbeat.ts'
import type { Orm } from '../orm.ts'
import { run } from '../prepared.ts'

/** Who calls says a token and no page, so its row is found across pages. */

const success = `update heartbeat set last_call = $3, last_call_at = greatest($2::timestamptz, last_call_at),
    duration_ms = case when started_at is not null
      then least(extract(epoch from $2::timestamptz - started_at) * 1000, 2147483647)::int end,
    started_at = null,
    failures = 0, successes = least(successes, 1000000) + 1,
    due_at = coalesce($4::timestamptz, $2::timestamptz + interval '1 second'
      * ((schedule->>'period_seconds')::int + coalesce((schedule->>'grace_seconds')::int, 0)))
  where token_hash = $1 and quiet and due_at >= $2 and (schedule->>'period_seconds' is not null or schedule = $5::jsonb)
  returning beat_id`

export interface Success {
  hash: string
  at: Date
  said: string
  /** Only a program can tell when a cron expression is due next; the row says whether it is still that schedule. */
  next?: { schedule: Schedule; due: Date }
}

/** Nearly all calls are this one statement. False when it is not all there is to do: a late one has to tell of a silence. */
export async function noteSuccess(system: Orm, { hash, at, said, next }: Success): Promise<boolean> {
  const schedule = next ? JSON.stringify(next.schedule) : null
  return (await run(system.em, success, [hash, at, said, next?.due ?? null, schedule])).length > 0
}

const start = `update heartbeat set last_call = $3, last_call_at = greatest($2::timestamptz, last_call_at), started_at = $2
  where token_hash = $1 returning beat_id`

export async function noteStart(system: Orm, { hash, at, said }: Success): Promise<boolean> {
  return (await run(system.em, start, [hash, at, said])).length > 0
}

export interface FoundHeartbeat {
  beat_id: number
  page_id: number
  schedule: Schedule
  quiet: boolean
  due_at: Date
}

export async function findHeartbeat(system: Orm, hash: string): Promise<FoundHeartbeat | undefined> {
  const sql = 'select beat_id, page_id, schedule, quiet, due_at from heartbeat where token_hash = $1'
  const [row] = await run<FoundHeartbeat>(system.em, sql, [hash])
  return row && { ...row, due_at: new Date(row.due_at) }
}
