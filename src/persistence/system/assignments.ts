import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'
import { inSystemTransaction } from '../transactions.ts'
import type { ShardRef } from './shards.ts'

/** The assignment of beats to shards. Only one transaction at a time changes assignments. */

interface Place {
  beat_id: number
  region: string
}
interface Assignment extends Place {
  shard: number
}

interface Options {
  now: Date
  /** Types that no worker checks. */
  reported: readonly string[]
  /** The shards for `count` new beats, given the number of beats in each shard. */
  placesFor(taken: Map<number, number>, count: number): number[]
  /** Compares every beat with its assignments, not only the beats in `beat_change`. */
  everything: boolean
}

const ASSIGNING = 6_140_001
const CHANGES = 2000

export async function anyChange(system: Orm): Promise<boolean> {
  const [row] = await run<{ any: boolean }>(system.em, sql`select exists (select from beat_change) as any`)
  return row?.any ?? false
}

/** Updates assignments by the beats. Returns the new shards, or undefined if another transaction is assigning. */
export function assignBeats(system: Orm, options: Options): Promise<ShardRef[] | undefined> {
  return inSystemTransaction(system, async (tx) => {
    const [lock] = await run<{ mine: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${ASSIGNING}) as mine`)
    if (!lock?.mine) return undefined
    const changed = await takeChanges(tx, options)
    if (changed.length === 0) return []
    const [wanted, present] = [await wantedPlaces(tx, changed, options), await presentPlaces(tx, changed)]
    const known = new Map(present.map((one) => [keyOf(one), one]))
    const gone = new Map(known)
    for (const place of wanted) gone.delete(keyOf(place))
    await run(
      tx,
      sql`delete from beat_assignment a using ${rowsOf([...gone.values()])}
        where a.beat_id = r.beat_id and a.region = r.region`,
    )
    const added = await place(
      tx,
      wanted.filter((one) => !known.has(keyOf(one))),
      options,
    )
    return touch(tx, [...present, ...added], options.now)
  })
}

const keyOf = ({ beat_id, region }: Place) => `${beat_id} ${region}`
const rowsOf = (list: (Place | Assignment)[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as r (beat_id int, region text, shard int)`

const checkedBy = (reported: readonly string[]) => sql`select b.id as beat_id, r.region from beat b
  cross join lateral jsonb_array_elements_text(b.regions) as r (region)
  left join page_settings s on s.page_id = b.page_id
  where b.enabled and b.type <> all (${reported}::text[])
    and s.values ->> 'synthetics_enabled' is distinct from 'false'`

async function takeChanges(tx: EntityManager, { everything, reported }: Options): Promise<number[]> {
  const taken = await run<{ beat_id: number }>(
    tx,
    sql`delete from beat_change where id in
        (select id from beat_change order by id limit ${CHANGES} for update skip locked)
      returning beat_id`,
  )
  const strayed = everything
    ? await run<{ beat_id: number }>(
        tx,
        sql`with wanted as (${checkedBy(reported)})
          select beat_id from wanted full join beat_assignment a using (beat_id, region)
          where wanted.region is null or a.shard is null`,
      )
    : []
  return [...new Set([...taken, ...strayed].map(({ beat_id }) => beat_id))]
}

const wantedPlaces = (tx: EntityManager, ids: number[], { reported }: Options) =>
  run<Place>(tx, sql`${checkedBy(reported)} and b.id = any (${ids}::int[]) order by b.id`)

const presentPlaces = (tx: EntityManager, ids: number[]) =>
  run<Assignment>(tx, sql`select beat_id, region, shard from beat_assignment where beat_id = any (${ids}::int[])`)

async function place(tx: EntityManager, places: Place[], { placesFor }: Options): Promise<Assignment[]> {
  const added: Assignment[] = []
  for (const [region, here] of Map.groupBy(places, (one) => one.region)) {
    const counts = await run<{ shard: number; count: number }>(
      tx,
      sql`select shard, count(*)::int as count from beat_assignment where region = ${region} group by shard`,
    )
    const shards = placesFor(new Map(counts.map(({ shard, count }) => [shard, count])), here.length)
    for (const [index, one] of here.entries()) added.push({ ...one, shard: shards[index]! })
  }
  if (added.length === 0) return added
  await run(
    tx,
    sql`insert into beat_assignment (beat_id, region, shard) select beat_id, region, shard from ${rowsOf(added)}`,
  )
  return added
}

/** Raises the revisions of these shards, so that their leases read them again; deletes shards without beats. */
async function touch(tx: EntityManager, touched: Assignment[], now: Date): Promise<ShardRef[]> {
  const shards = rowsOf(touched)
  // A deleted and recreated shard must not get a revision that it had before.
  const raised = await run<ShardRef & { added: boolean }>(
    tx,
    sql`insert into check_shard (region, number, revision, updated_at)
      select distinct region, shard, floor(extract(epoch from ${now}::timestamptz) * 1000)::bigint, ${now}::timestamptz
        from ${shards}
      on conflict (region, number) do update
        set revision = greatest(check_shard.revision + 1, excluded.revision), updated_at = excluded.updated_at
      returning region, number as shard, xmax = 0 as added`,
  )
  const emptied = await run<ShardRef>(
    tx,
    sql`delete from check_shard s
      where exists (select from ${shards} where r.region = s.region and r.shard = s.number)
        and not exists (select from beat_assignment a where a.region = s.region and a.shard = s.number)
      returning s.region, s.number as shard`,
  )
  const isEmpty = ({ region, shard }: ShardRef) => emptied.some((one) => one.region === region && one.shard === shard)
  return raised.filter((one) => one.added && !isEmpty(one)).map(({ region, shard }) => ({ region, shard }))
}

export function allShards(system: Orm): Promise<ShardRef[]> {
  return run<ShardRef>(system.em, sql`select region, number as shard from check_shard order by region, number`)
}

export interface SilentBeat {
  id: number
  page_id: number
  region: string
}

interface Silence {
  now: Date
  /** How long a result counts: this many intervals, and at least `atLeastMs`. */
  intervals: number
  atLeastMs: number
  /** Types that no worker checks. */
  reported: readonly string[]
  /** The last beat of the batch before. */
  after: number
  limit: number
}

/**
 * Beats without a result for a minute longer than a result counts, each with one of its regions; without beats whose stage
 * is unknown already. Ignores the assignments, which workers maintain: there may be no worker.
 */
export const silentBeats = (
  system: Orm,
  { now, intervals, atLeastMs, reported, after, limit }: Silence,
): Promise<SilentBeat[]> =>
  run<SilentBeat>(
    system.em,
    sql`select distinct on (b.id) b.id, b.page_id, wanted.region
      from (${checkedBy(reported)}) wanted join beat b on b.id = wanted.beat_id
      cross join lateral (select ${now}::timestamptz - make_interval(
        secs => greatest(${intervals}::int * b.interval_seconds, ${atLeastMs}::int / 1000)
          + b.timeout_ms / 1000.0 + 60) as since) silent
      where b.id > ${after} and b.current_stage is not null and b.unknown_since is null and b.updated_at < silent.since
        and not exists (select 1 from beat_result r where r.beat_id = b.id and r.due_at > silent.since)
      order by b.id limit ${limit}`,
  )
