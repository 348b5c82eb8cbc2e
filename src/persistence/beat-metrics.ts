import type { EntityManager } from '@mikro-orm/postgresql'
import { resultsByMinute } from './latency-buckets.ts'
import { idList } from './rows.ts'
import { run, type Statement, sql } from './sql.ts'

/** The counted checks of a beat from one region in a minute or an hour, which begins `at`. */
export interface Counted {
  beat_id: number
  region: string
  at: number
  checks: number
  failures: number
  latencies: Record<string, number>
}

const columns = sql`beat_id, region, at, checks, failures, latencies`
const MINUTE = sql`60`
const HOUR = sql`3600`
const rolledUp = (span: Statement) =>
  sql`select ${columns} from beat_rollup where beat_id = asked.beat_id and span_seconds = ${span}`
const endOf = (span: Statement) =>
  sql`(select max(at) + interval '1 second' * ${span} from beat_rollup
    where beat_id = asked.beat_id and span_seconds = ${span})`

/** The counted checks of these beats between two moments, by minute or, with `byHour`, by hour as far as hours exist. */
export async function countsOf(
  tx: EntityManager,
  beatIds: number[],
  { from, to, byHour }: { from: Date; to: Date; byHour: boolean },
): Promise<Counted[]> {
  // Three ranges without overlap: hours as far as they exist, then minutes, then the results without a rollup.
  const rows = await run<Counted & { at: string | number }>(
    tx,
    sql`select seen.beat_id, seen.region, extract(epoch from seen.at) * 1000 as at, seen.checks, seen.failures,
        seen.latencies
      from unnest(${idList(beatIds)}::int[]) as asked (beat_id)
      cross join lateral (
        select greatest(${from}::timestamptz, case when ${byHour} then ${endOf(HOUR)} end) as hours_to) hours
      cross join lateral (select greatest(hours_to, ${endOf(MINUTE)}) as minutes_to) minutes
      cross join lateral (
        (${rolledUp(HOUR)} and at >= ${from} and at < hours_to)
        union all (${rolledUp(MINUTE)} and at >= hours_to and at < minutes_to)
        union all (select ${columns} from (${resultsByMinute(sql`minutes_to`, sql`${to}`)}) young)
      ) seen
      where seen.at < ${to}`,
  )
  return rows.map((row) => ({ ...row, at: Number(row.at) }))
}
