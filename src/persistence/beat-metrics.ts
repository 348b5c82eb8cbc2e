import type { EntityManager } from '@mikro-orm/postgresql'
import { resultsByMinute } from './latency-buckets.ts'
import { run } from './prepared.ts'
import { idList } from './rows.ts'

/** The counted checks of a beat from one region in a minute or an hour, which begins `at`. */
export interface Counted {
  beat_id: number
  region: string
  at: number
  checks: number
  failures: number
  latencies: Record<string, number>
}

const columns = 'beat_id, region, at, checks, failures, latencies'
const lastOf = (span: number) =>
  `(select max(at) + interval '${span} seconds' from beat_rollup where beat_id = asked.beat_id and span_seconds = ${span})`
const rolledUp = (span: number) =>
  `select ${columns} from beat_rollup where beat_id = asked.beat_id and span_seconds = ${span}`

/** Three ranges without overlap: hours as far as they exist, then minutes, then the results without a rollup. */
const counts = `select seen.beat_id, seen.region, extract(epoch from seen.at) * 1000 as at, seen.checks, seen.failures, seen.latencies
  from unnest($1::int[]) as asked (beat_id)
  cross join lateral (select greatest($2::timestamptz, case when $4 then ${lastOf(3600)} end) as hours_to) hours
  cross join lateral (select greatest(hours_to, ${lastOf(60)}) as minutes_to) minutes
  cross join lateral (
    (${rolledUp(3600)} and at >= $2 and at < hours_to)
    union all (${rolledUp(60)} and at >= hours_to and at < minutes_to)
    union all (select ${columns} from (${resultsByMinute('minutes_to', '$3')}) young)
  ) seen
  where seen.at < $3`

/** The counted checks of these beats between two moments, by minute or, with `byHour`, by hour as far as hours exist. */
export async function countsOf(
  tx: EntityManager,
  beatIds: number[],
  { from, to, byHour }: { from: Date; to: Date; byHour: boolean },
): Promise<Counted[]> {
  const rows = await run<Counted & { at: string | number }>(tx, counts, [idList(beatIds), from, to, byHour])
  return rows.map((row) => ({ ...row, at: Number(row.at) }))
}
