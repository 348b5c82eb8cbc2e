import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

export interface ShardRef {
  region: string
  shard: number
}

export interface ShardState extends ShardRef {
  revision: number
  holder: string | null
}

/** Makes this process the holder of the shard; the earlier holder stops. Undefined if the shard was deleted. */
export async function claimShard(
  system: Orm,
  { region, shard }: ShardRef,
  holder: string,
): Promise<number | undefined> {
  const [row] = await run<{ revision: string | number }>(
    system.em,
    sql`update check_shard set holder = ${holder} where region = ${region} and number = ${shard} returning revision`,
  )
  return row && Number(row.revision)
}

/** The rows of these shards; a deleted shard has none. */
export async function shardStates(system: Orm, shards: ShardRef[]): Promise<ShardState[]> {
  const rows = await run<ShardState>(
    system.em,
    sql`select s.region, s.number as shard, s.revision, s.holder
      from jsonb_to_recordset(${JSON.stringify(shards)}::jsonb) as wanted (region text, shard int)
      join check_shard s on s.region = wanted.region and s.number = wanted.shard`,
  )
  return rows.map((row) => ({ ...row, revision: Number(row.revision) }))
}

export interface BeatOfShard {
  id: number
  page_id: number
  config_version: number
  current_stage: string | null
  unknown: boolean
}

export function beatsOfShard(system: Orm, { region, shard }: ShardRef): Promise<BeatOfShard[]> {
  return run<BeatOfShard>(
    system.em,
    sql`select b.id, b.page_id, b.config_version, b.current_stage, b.unknown_since is not null as unknown
      from beat_assignment a join beat b on b.id = a.beat_id
      where a.region = ${region} and a.shard = ${shard} order by b.id`,
  )
}

export interface BeatToCheck {
  id: number
  page_id: number
  config_version: number
  type: string
  target_number: number
  target: Record<string, unknown>
  interval_seconds: number
  timeout_ms: number
  threshold_policies: Record<string, unknown>
  current_stage: string | null
  unknown: boolean
  /** The encrypted parts of the target. */
  secret: { page_id: number; name: string; key_id: string; ciphertext: string } | null
}

/** The configuration of these beats, of any page, for their checks. */
export function beatsToCheck(system: Orm, ids: number[]): Promise<BeatToCheck[]> {
  return run<BeatToCheck>(
    system.em,
    sql`select b.id, b.page_id, b.config_version, b.type, b.target_number, b.target, b.interval_seconds, b.timeout_ms,
        b.threshold_policies, b.current_stage, b.unknown_since is not null as unknown,
        case when s.id is null then null else
          jsonb_build_object('page_id', s.page_id, 'name', s.name, 'key_id', s.key_id, 'ciphertext', s.ciphertext)
        end as secret
      from beat b left join secret s on s.page_id = b.page_id and s.name = 'beat:' || b.id
      where b.id = any(${ids}::int[])`,
  )
}
