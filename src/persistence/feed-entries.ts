import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'
import { idList } from './rows.ts'

export interface AskedEntries {
  incidents: boolean
  maintenances: boolean
  /** One entry for each update and for each creation, else one for each record. */
  perUpdate: boolean
  /** Only records that affect one of these items; null for all records. */
  items: number[] | null
  /** Only entries with one of these lifecycle stages; null for all entries. */
  stages: number[] | null
  limit: number
}

interface EntryRow {
  kind: 'incident' | 'incident_update' | 'maintenance' | 'maintenance_update'
  id: number
  record_id: number
}

/** The same items as in the presented record: see `itemsHeldBy`. */
const affects = {
  incident: (record: string) => `($1::int[] is null or exists (select from incident_impact i
    where i.incident_id = ${record} and i.item_id = any($1::int[]) and (i.end_time is null or i.ended_by_resolution)))`,
  maintenance: (record: string) => `($1::int[] is null or exists (select from maintenance_item i
    where i.maintenance_id = ${record} and i.item_id = any($1::int[])))`,
}

const inStages = (stage: string) => `($2::int[] is null or ${stage} = any($2::int[]))`

/** The stage that a record began with, as far as its timeline knows. */
const firstStage = {
  incident: `case when exists (select from incident_update u where u.incident_id = r.id)
    then (select u.previous_lifecycle_stage_id from incident_update u where u.incident_id = r.id order by u.id limit 1)
    else r.lifecycle_stage_id end`,
  maintenance: `case when exists (select from maintenance_update u where u.maintenance_id = r.id)
    then (select s.id from lifecycle_stage s where s.kind = 'maintenance' and s.is_default limit 1)
    else r.lifecycle_stage_id end`,
}

type Kind = 'incident' | 'maintenance'

const records = (kind: Kind, stage: string) => `(select '${kind}' as kind, r.id, r.id as record_id, r.created_at as at
  from ${kind} r where ${affects[kind]('r.id')} and ${inStages(stage)}
  order by r.created_at desc, r.id desc limit $3)`

const updates = (kind: Kind) => `(select '${kind}_update', u.id, u.${kind}_id, u.created_at
  from ${kind}_update u where ${affects[kind](`u.${kind}_id`)} and ${inStages('u.lifecycle_stage_id')}
  order by u.created_at desc, u.id desc limit $3)`

/** The newest entries by the time of their creation; a record comes after its updates of the same moment. */
export function newestEntries(tx: EntityManager, asked: AskedEntries): Promise<EntryRow[]> {
  const { items, stages, limit, perUpdate } = asked
  const kinds = (['incident', 'maintenance'] as const).filter((kind) => asked[`${kind}s`])
  const parts = kinds.flatMap((kind) =>
    perUpdate ? [records(kind, firstStage[kind]), updates(kind)] : [records(kind, 'r.lifecycle_stage_id')],
  )
  const sql = `select kind, id, record_id from (${parts.join(' union all ')}) entries
    order by at desc, kind like '%_update' desc, id desc, kind limit $3`
  return run<EntryRow>(tx, sql, [items && idList(items), stages && idList(stages), limit])
}
