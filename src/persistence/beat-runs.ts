import type { EntityManager } from '@mikro-orm/postgresql'
import type { StoredResult } from './beat-results.ts'
import { run, sql } from './sql.ts'

export interface RunRow extends StoredResult {
  id: number
  slot: number | null
}

export interface RunFilter {
  region?: string | null | undefined
  ok?: boolean | null | undefined
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/** The conditions on `due_at` allow the use of the index: a check begins soon after its due moment. */
const matches = (beatId: number, { region = null, ok = null, since = null, until = null }: RunFilter) =>
  sql`beat_id = ${beatId} and (${region}::text is null or region = ${region}) and (${ok}::boolean is null or ok = ${ok})
    and at >= coalesce(${since}::timestamptz, '-infinity') and at < coalesce(${until}::timestamptz, 'infinity')
    and due_at >= coalesce(${since}::timestamptz - interval '1 hour', '-infinity')
    and due_at < coalesce(${until}::timestamptz, 'infinity')`

/** The results of a beat, newest first. */
export async function runsOf(
  tx: EntityManager,
  beatId: number,
  filter: RunFilter,
  { after, limit }: { after: { due_at: Date; region: string } | undefined; limit: number },
): Promise<RunRow[]> {
  const { due_at = null, region = null } = after ?? {}
  const rows = await run<RunRow>(
    tx,
    sql`select id, region, slot, due_at, at, ok, latency_ms, status_code, packet_loss, certificate_days, evidence
      from beat_result where ${matches(beatId, filter)}
        and due_at <= coalesce(${due_at}::timestamptz, 'infinity')
        and (${due_at}::timestamptz is null or due_at < ${due_at} or region < ${region})
      order by due_at desc, region desc limit ${limit}`,
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
const counted = (beatId: number, { region = null, ok = null }: RunFilter) =>
  sql`select (select count(*) from beat_result where beat_id = ${beatId} and due_at >= coalesce(last.done, '-infinity')
        and (${region}::text is null or region = ${region}) and (${ok}::boolean is null or ok = ${ok}))
      + (select coalesce(
          sum(case ${ok}::boolean when true then checks - failures when false then failures else checks end), 0)
        from beat_rollup where beat_id = ${beatId} and span_seconds = 60
          and (${region}::text is null or region = ${region})
          and at >= date_bin('1 minute', first.due_at, 'epoch')) as count
    from (select min(due_at) as due_at from beat_result where beat_id = ${beatId}) first,
      (select max(at) + interval '1 minute' as done
        from beat_rollup where beat_id = ${beatId} and span_seconds = 60) last`

export async function countRuns(tx: EntityManager, beatId: number, filter: RunFilter): Promise<number> {
  const [row] = await run<{ count: string }>(
    tx,
    filter.since || filter.until
      ? sql`select count(*) as count from beat_result where ${matches(beatId, filter)}`
      : counted(beatId, filter),
  )
  return Number(row!.count)
}
