import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

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

const tails = `select t.region, t.due_at, t.at, t.ok, t.latency_ms, t.status_code, t.packet_loss, t.certificate_days, t.evidence
  from jsonb_array_elements_text($2::jsonb) as wanted (region)
  cross join lateral (select r.* from beat_result r
    where r.beat_id = $1 and r.region = wanted.region and r.due_at > $4 and r.target_number = $5 order by r.due_at desc limit $3) t
  order by t.due_at desc`

/** The last results of a beat, as it is now, from each of these regions, newest first: those after `since`, at most `depth` of each. */
export async function tailsOf(
  tx: EntityManager,
  { id, target_number }: { id: number; target_number: number },
  { regions, depth, since }: { regions: string[]; depth: number; since: Date },
): Promise<StoredResult[]> {
  const rows = await run<StoredResult>(tx, tails, [id, JSON.stringify(regions), depth, since, target_number])
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at), at: new Date(row.at) }))
}

export interface NewResult extends Omit<StoredResult, 'region'> {
  beat_id: number
  region: string
  page_id: number
  slot: number | null
  target_number: number
}

const columns =
  'beat_id, due_at, region, page_id, slot, at, target_number, ok, latency_ms, status_code, packet_loss, certificate_days, evidence'

/** The parameter holds the results as a JSON array. What is stored already stays as it is. */
export const insertResults = (parameter: string) =>
  `insert into beat_result (${columns})
    select ${columns} from jsonb_populate_recordset(null::beat_result, ${parameter}::jsonb)
    on conflict do nothing returning id`

/** One result; its id, or nothing if it was stored before. */
export async function insertResult(tx: EntityManager, result: NewResult): Promise<number | undefined> {
  const [row] = await run<{ id: string | number }>(tx, insertResults('$1'), [JSON.stringify([result])])
  return row === undefined ? undefined : Number(row.id)
}
