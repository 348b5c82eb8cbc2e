import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

export interface Wave {
  count: number
  /** When the first of them starts. */
  from: Date
  /** Over how long the starts are spread evenly; 0 for all in one moment. */
  spreadMs: number
  /** Whether the processes get a wake-up. The bare timers need none. */
  woken: boolean
}

const LASTS = '75 seconds'

/**
 * Windows on one page that start and end by themselves, each on a leaf of its own of `seedItems`: page-wide work is
 * done for each of them, and they wait for each other. Answers their ids, in the order in which they start.
 */
export async function seedWindows(database: Client, { count, from, spreadMs, woken }: Wave): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `with made as (insert into maintenance (page_id, title, description, status, auto_transition_enabled,
        scheduled_start_time, scheduled_end_time, lifecycle_stage_id, reminders_from, listed_at, version,
        created_at, updated_at)
      select (select min(id) from page), 'Window ' || n, '', 'scheduled', true, t.at, t.at + interval '${LASTS}',
        (select min(id) from lifecycle_stage where kind = 'maintenance'), now(), t.at, 1, now(), now()
      from generate_series(0, $1::int - 1) n,
        lateral (select $2::timestamptz + n * $3::float8 / $1 * interval '1 millisecond' as at) t
      returning id, page_id),
    numbered as (select made.*, row_number() over (order by id) as n from made),
    affected as (insert into maintenance_item (page_id, maintenance_id, item_id)
      select m.page_id, m.id, i.id from numbered m join hierarchy_item i on i.slug = 'item-3-' || (m.n % 900 + 1)),
    woken as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      select page_id, 'maintenance:' || id, 'the creation of the maintenance', now(), 0, now() from made where $4)
    select id from made order by id`,
    [count, from, spreadMs, woken],
  )
  await database.query('analyze maintenance, maintenance_item')
  return rows.map(({ id }) => id)
}

export interface Lateness {
  count: number
  /** From the due moment to the moment that the entry bears. */
  entry: Times
  /** From the due moment to the commit, when everybody can see it. */
  commit: Times
  /** From the first due moment to the last commit. */
  seconds: number
}

interface Times {
  p50: number
  p99: number
  max: number
}

/** How late these windows were started, or completed; the commits are by PostgreSQL's clock, on the same machine. */
export async function latenessOf(database: Client, ids: number[], status: string): Promise<Lateness> {
  const { rows } = await database.query<Record<string, number>>(
    `with late as (select due_at, pg_xact_commit_timestamp(xmin) as committed_at,
        1000 * extract(epoch from created_at - due_at)::float8 as entry,
        1000 * extract(epoch from pg_xact_commit_timestamp(xmin) - due_at)::float8 as commit
      from maintenance_update where maintenance_id = any($1) and status = $2)
    select count(*)::int as count, ${columns('entry')}, ${columns('commit')},
      extract(epoch from max(committed_at) - min(due_at))::float8 as seconds from late`,
    [ids, status],
  )
  const row = rows[0]!
  const times = (name: string) => ({ p50: row[`${name}_p50`]!, p99: row[`${name}_p99`]!, max: row[`${name}_max`]! })
  return { count: row.count!, entry: times('entry'), commit: times('commit'), seconds: row.seconds! }
}

const columns = (name: string) =>
  `percentile_cont(0.5) within group (order by ${name}) as ${name}_p50,
    percentile_cont(0.99) within group (order by ${name}) as ${name}_p99, max(${name}) as ${name}_max`

/** Waits until each of these windows has this status. */
export async function untilAll(database: Client, ids: number[], status: string, patienceMs: number): Promise<void> {
  const left = `select count(*)::int as count from maintenance where id = any($1) and status <> $2`
  await untilNone(database, left, [ids, status], patienceMs, `windows are not ${status}`)
}

/** Waits until each of these windows has started; the first may be over by then. */
export async function untilStarted(database: Client, ids: number[], patienceMs: number): Promise<void> {
  const left = `select count(*)::int as count from maintenance where id = any($1) and status = 'scheduled'`
  await untilNone(database, left, [ids], patienceMs, 'windows have not started')
}

/** Waits until the process of each has looked at its plan. */
export async function untilWaiting(database: Client, ids: number[], patienceMs: number): Promise<void> {
  const left = `select count(*)::int as count from unnest($1::int[]) id where not exists
    (select 1 from process where workflow_id = 'maintenance:' || id and state = 'waiting')`
  await untilNone(database, left, [ids], patienceMs, 'windows start before their processes know of them')
}

async function untilNone(database: Client, sql: string, values: unknown[], patienceMs: number, what: string) {
  for (const deadline = Date.now() + patienceMs; ; await sleep(250)) {
    const { rows } = await database.query<{ count: number }>(sql, values)
    const left = rows[0]!.count
    if (left === 0) return
    if (Date.now() > deadline) throw new Error(`${left} ${what}`)
  }
}

/** As before the first wave, but for the rows that it leaves behind. */
export async function endWindows(database: Client): Promise<void> {
  await database.query(`update maintenance set status = 'completed', ended_at = now() where ended_at is null`)
  await database.query(`update hierarchy_item set status = 'operational' where status <> 'operational'`)
  await database.query('vacuum analyze')
}
