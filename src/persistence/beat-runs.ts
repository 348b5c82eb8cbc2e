import type { EntityManager } from '@mikro-orm/postgresql'
import type { StoredResult } from './beat-results.ts'
import { run } from './prepared.ts'

export interface RunRow extends StoredResult {
  id: number
  slot: number | null
}

export interface RunFilter {
  region?: string | undefined
  ok?: boolean | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** The conditions on `due_at` allow the use of the index: a check begins soon after its due moment. */
const where = `where beat_id = $1 and ($2::text is null or region = $2) and ($3::boolean is null or ok = $3)
  and at >= coalesce($4::timestamptz, '-infinity') and at < coalesce($5::timestamptz, 'infinity')
  and due_at >= coalesce($4::timestamptz - interval '1 hour', '-infinity') and due_at < coalesce($5::timestamptz, 'infinity')`

const valuesOf = (beatId: number, { region, ok, since, until }: RunFilter) => [
  beatId,
  region ?? null,
  ok ?? null,
  since ?? null,
  until ?? null,
]

/** The results of a beat, newest first. */
export async function runsOf(
  tx: EntityManager,
  beatId: number,
  filter: RunFilter,
  { after, limit }: { after: { due_at: Date; region: string } | undefined; limit: number },
): Promise<RunRow[]> {
  const rows = await run<RunRow>(
    tx,
    `select id, region, slot, due_at, at, ok, latency_ms, status_code, packet_loss, certificate_days, evidence
      from beat_result ${where}
      and due_at <= coalesce($6::timestamptz, 'infinity') and ($6 is null or due_at < $6 or region < $7)
      order by due_at desc, region desc limit $8`,
    [...valuesOf(beatId, filter), after?.due_at ?? null, after?.region ?? null, limit],
  )
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    slot: row.slot === null ? null : Number(row.slot),
    due_at: new Date(row.due_at),
    at: new Date(row.at),
  }))
}

/**
 * A beat with a check each second has a million results, and row-level security would read each of them. So results with a
 * rollup are counted by their minutes.
 */
const counted = `select (select count(*) from beat_result where beat_id = $1 and due_at >= coalesce(last.done, '-infinity')
      and ($2::text is null or region = $2) and ($3::boolean is null or ok = $3))
    + (select coalesce(sum(case $3::boolean when true then checks - failures when false then failures else checks end), 0)
      from beat_rollup where beat_id = $1 and span_seconds = 60 and ($2::text is null or region = $2)
      and at >= date_bin('1 minute', first.due_at, 'epoch')) as count
  from (select min(due_at) as due_at from beat_result where beat_id = $1) first,
    (select max(at) + interval '1 minute' as done from beat_rollup where beat_id = $1 and span_seconds = 60) last`

export async function countRuns(tx: EntityManager, beatId: number, filter: RunFilter): Promise<number> {
  const values = valuesOf(beatId, filter)
  const [row] =
    filter.since || filter.until
      ? await run<{ count: string }>(tx, `select count(*) as count from beat_result ${where}`, values)
      : await run<{ count: string }>(tx, counted, values.slice(0, 3))
  return Number(row!.count)
}
