import { insertResults, type NewResult } from '../beat-results.ts'
import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

export interface KnownBeat {
  id: number
  current_stage: string | null
  unknown: boolean
}

/** Stores results of many pages, and returns the state of their beats. */
export function storeResults(system: Orm, results: NewResult[]): Promise<KnownBeat[]> {
  const ids = [...new Set(results.map(({ beat_id }) => beat_id))]
  return run<KnownBeat>(
    system.em,
    sql`with stored as (${insertResults(results)})
      select b.id, b.current_stage, b.unknown_since is not null as unknown from beat b where b.id = any(${ids}::int[])`,
  )
}

export interface TailOf {
  beat_id: number
  depth: number
  since: Date
  target_number: number
}

interface TailRow {
  beat_id: number
  due_at: Date
  ok: boolean
  latency_ms: number | null
  packet_loss: number | null
  certificate_days: number | null
}

/** The last results of many beats from one region, newest first. */
export async function tailsFrom(system: Orm, region: string, wanted: TailOf[]): Promise<TailRow[]> {
  const rows = await run<TailRow>(
    system.em,
    sql`select w.beat_id, t.due_at, t.ok, t.latency_ms, t.packet_loss, t.certificate_days
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w (beat_id int, depth int, since timestamptz, target_number int)
      cross join lateral (select r.* from beat_result r
        where r.beat_id = w.beat_id and r.region = ${region} and r.due_at > w.since
          and r.target_number = w.target_number
        order by r.due_at desc limit w.depth) t
      order by t.due_at desc`,
  )
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at) }))
}
