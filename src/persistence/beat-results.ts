import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

export interface StoredResult {
  region: string
  due_at: Date
  at: Date
  ok: boolean
  latency_ms: number | null
  status_code: number | null
  packet_loss: number | null
  certificate_days: number | null
  evidence: string
}

/** The last results of the present target of a beat after `since`, newest first, at most `depth` from each region. */
export async function tailsOf(
  tx: EntityManager,
  { id, target_number }: { id: number; target_number: number },
  { regions, depth, since }: { regions: string[]; depth: number; since: Date },
): Promise<StoredResult[]> {
  const rows = await run<StoredResult>(
    tx,
    sql`select t.region, t.due_at, t.at, t.ok, t.latency_ms, t.status_code, t.packet_loss, t.certificate_days,
        t.evidence
      from jsonb_array_elements_text(${JSON.stringify(regions)}::jsonb) as wanted (region)
      cross join lateral (select r.* from beat_result r
        where r.beat_id = ${id} and r.region = wanted.region and r.due_at > ${since}
          and r.target_number = ${target_number}
        order by r.due_at desc limit ${depth}) t
      order by t.due_at desc`,
  )
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at), at: new Date(row.at) }))
}

export interface NewResult extends Omit<StoredResult, 'region'> {
  beat_id: number
  region: string
  page_id: number
  slot: number | null
  target_number: number
}

/** The results that the evaluation of a beat needs: the newest results of each region, of the present target. */
export interface WantedTail {
  beat_id: number
  target_number: number
  regions: string[]
  depth: number
  since: Date
}

/** The tails of many beats in one statement, each newest first. */
export async function tailsOfMany(tx: EntityManager, wanted: WantedTail[]): Promise<Map<number, StoredResult[]>> {
  if (wanted.length === 0) return new Map()
  const rows = await run<StoredResult & { beat_id: number }>(
    tx,
    sql`select w.beat_id, t.region, t.due_at, t.at, t.ok, t.latency_ms, t.status_code, t.packet_loss,
        t.certificate_days, t.evidence
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w (beat_id int, target_number int, regions jsonb, depth int, since timestamptz)
      cross join lateral jsonb_array_elements_text(w.regions) as wanted (region)
      cross join lateral (select r.* from beat_result r
        where r.beat_id = w.beat_id and r.region = wanted.region and r.due_at > w.since
          and r.target_number = w.target_number
        order by r.due_at desc limit w.depth) t
      order by t.due_at desc`,
  )
  return Map.groupBy(
    rows.map((row) => ({ ...row, due_at: new Date(row.due_at), at: new Date(row.at) })),
    ({ beat_id }) => beat_id,
  )
}

const columns = sql`beat_id, due_at, region, page_id, slot, at, target_number, ok, latency_ms, status_code,
  packet_loss, certificate_days, evidence`

/** Stored results stay unchanged. */
export const insertResults = (results: NewResult[]) =>
  sql`insert into beat_result (${columns})
    select ${columns} from jsonb_populate_recordset(null::beat_result, ${JSON.stringify(results)}::jsonb)
    on conflict do nothing returning id`

/** Inserts one result; returns its id, or undefined if the result was stored before. */
export async function insertResult(tx: EntityManager, result: NewResult): Promise<number | undefined> {
  const [row] = await run<{ id: string | number }>(tx, insertResults([result]))
  return row === undefined ? undefined : Number(row.id)
}

export async function insertResultsOf(tx: EntityManager, results: NewResult[]): Promise<void> {
  if (results.length > 0) await run(tx, insertResults(results))
}
