import type { EntityManager } from '@mikro-orm/postgresql'
import { byBucket, resultsByMinute } from '../latency-buckets.ts'
import type { Orm } from '../orm.ts'
import { run, type Statement, sql } from '../sql.ts'
import { inSystemTransaction } from '../transactions.ts'

/**
 * Results are counted into minutes, and minutes into hours. The progress is stored: minutes before `done` are counted, and
 * the next run counts the minutes since `again` once more, for late results.
 */
interface Progress {
  again: number
  done: number
}

const KEY = 'beats.rolled_up'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long after the end of a minute its results are counted for the first time. */
const PATIENCE_MS = 15_000
/** The span that one transaction counts. */
const CHUNK_MS = HOUR_MS

const floor = (ms: number, step: number) => Math.floor(ms / step) * step

/** A second count without more results changes nothing, also if results have been deleted since. */
const grown = sql`on conflict (beat_id, span_seconds, at, region) do update
  set checks = excluded.checks, failures = excluded.failures, latencies = excluded.latencies
  where beat_rollup.checks < excluded.checks`

const columns = sql`beat_id, span_seconds, at, region, page_id, checks, failures, latencies`

const asked = sql`(select id as beat_id from beat) asked`

const countMinutes = (from: Date, to: Date) => sql`insert into beat_rollup (${columns})
  select made.beat_id, 60, made.at, made.region, made.page_id, made.checks, made.failures, made.latencies
  from ${asked} cross join lateral (${resultsByMinute(sql`${from}`, sql`${to}`)}) made ${grown}`

/** `offset 0` keeps the planner from merging the subquery: rollups are read beat by beat. */
function countHours(from: Date, to: Date): Statement {
  return sql`with minutes as (select found.*, date_bin('1 hour', found.at, 'epoch') as hour
        from ${asked} cross join lateral (select * from beat_rollup
          where beat_id = asked.beat_id and span_seconds = 60 and at >= ${from} and at < ${to} offset 0) found),
      counts as (select beat_id, region, hour, key as bucket, sum(value::int) as counted
        from minutes, jsonb_each_text(latencies) group by beat_id, region, hour, bucket),
      spread as (select beat_id, region, hour, ${byBucket} as latencies from counts group by beat_id, region, hour),
      sums as (select beat_id, region, hour, min(page_id) as page_id, sum(checks)::int as checks,
        sum(failures)::int as failures from minutes group by beat_id, region, hour)
    insert into beat_rollup (${columns})
    select beat_id, 3600, hour, region, page_id, checks, failures, coalesce(latencies, '{}'::jsonb)
    from sums left join spread using (beat_id, region, hour) ${grown}`
}

/** Counts all finished minutes and hours. A concurrent run waits and finds the work done. */
export async function rollUp(system: Orm, now: Date): Promise<void> {
  const target = floor(now.getTime() - PATIENCE_MS, MINUTE_MS)
  const em = system.em.fork()
  const begun = (await known(em)) ?? (await begin(em, now))
  for (let from = begun.again; from < target; ) {
    const to = Math.min(floor(from, CHUNK_MS) + CHUNK_MS, target)
    await inSystemTransaction(system, async (tx) => {
      const { done } = (await known(tx, sql`for update`)) ?? begun
      await run(tx, countMinutes(new Date(from), new Date(to)))
      // An hour is counted with its last minute.
      if (to % HOUR_MS === 0) await run(tx, countHours(new Date(to - HOUR_MS), new Date(to)))
      await keep(tx, { again: Math.min(to, begun.done), done: Math.max(to, done) }, now)
    })
    from = to
  }
}

async function known(em: EntityManager, lock = sql``): Promise<Progress | undefined> {
  const [row] = await run<{ value: string }>(em, sql`select value from installation where key = ${KEY} ${lock}`)
  return row && (JSON.parse(row.value) as Progress)
}

/** The progress of the very first run, which begins with the first result. */
async function begin(em: EntityManager, now: Date): Promise<Progress> {
  const [row] = await run<{ first: string | Date | null }>(em, sql`select min(due_at) as first from beat_result`)
  const first = floor(Math.min(row?.first ? new Date(row.first).getTime() : Infinity, now.getTime()), HOUR_MS)
  const progress = { again: first, done: first }
  await run(
    em,
    sql`insert into installation (key, value, updated_at) values (${KEY}, ${JSON.stringify(progress)}, ${now})
      on conflict do nothing`,
  )
  return progress
}

/** The moment before which all known results are counted. */
export async function rolledUpTo(system: Orm): Promise<Date> {
  return new Date((await known(system.em.fork()))?.again ?? 0)
}

async function keep(em: EntityManager, progress: Progress, now: Date): Promise<void> {
  await run(
    em,
    sql`update installation set value = ${JSON.stringify(progress)}, updated_at = ${now} where key = ${KEY}`,
  )
}
