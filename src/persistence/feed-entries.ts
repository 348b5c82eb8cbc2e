import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { identifier, joined, run, type Statement, sql } from './sql.ts'

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

type Kind = 'incident' | 'maintenance'
type Filter = Pick<AskedEntries, 'items' | 'stages' | 'limit'>

/** Whether the record affects one of the items: the same items as in the presented record, see `itemsHeldBy`. */
function affects(kind: Kind, record: Statement, { items }: Filter): Statement {
  const list = items && idList(items)
  return kind === 'incident'
    ? sql`(${list}::int[] is null or exists (select from incident_impact i where i.incident_id = ${record}
        and i.item_id = any(${list}::int[]) and (i.end_time is null or i.ended_by_resolution)))`
    : sql`(${list}::int[] is null or exists (select from maintenance_item i where i.maintenance_id = ${record}
        and i.item_id = any(${list}::int[])))`
}

function isIn(stage: Statement, { stages }: Filter): Statement {
  const list = stages && idList(stages)
  return sql`(${list}::int[] is null or ${stage} = any(${list}::int[]))`
}

/** The stage that a record began with, as far as its timeline knows. */
const firstStage = {
  incident: sql`case when exists (select from incident_update u where u.incident_id = r.id)
    then (select u.previous_lifecycle_stage_id from incident_update u where u.incident_id = r.id order by u.id limit 1)
    else r.lifecycle_stage_id end`,
  maintenance: sql`case when exists (select from maintenance_update u where u.maintenance_id = r.id)
    then (select s.id from lifecycle_stage s where s.kind = 'maintenance' and s.is_default limit 1)
    else r.lifecycle_stage_id end`,
}

const records = (kind: Kind, stage: Statement, filter: Filter) =>
  sql`(select ${kind}::text as kind, r.id, r.id as record_id, r.created_at as at
    from ${identifier(kind)} r where ${affects(kind, sql`r.id`, filter)} and ${isIn(stage, filter)}
    order by r.created_at desc, r.id desc limit ${filter.limit})`

function updates(kind: Kind, filter: Filter): Statement {
  const record = sql`u.${identifier(`${kind}_id`)}`
  return sql`(select ${`${kind}_update`}::text as kind, u.id, ${record} as record_id, u.created_at as at
    from ${identifier(`${kind}_update`)} u
    where ${affects(kind, record, filter)} and ${isIn(sql`u.lifecycle_stage_id`, filter)}
    order by u.created_at desc, u.id desc limit ${filter.limit})`
}

/** The newest entries by the time of their creation; a record comes after its updates of the same moment. */
export function newestEntries(tx: EntityManager, asked: AskedEntries): Promise<EntryRow[]> {
  const kinds = (['incident', 'maintenance'] as const).filter((kind) => asked[`${kind}s`])
  const parts = kinds.flatMap((kind) =>
    asked.perUpdate
      ? [records(kind, firstStage[kind], asked), updates(kind, asked)]
      : [records(kind, sql`r.lifecycle_stage_id`, asked)],
  )
  return run<EntryRow>(
    tx,
    sql`select kind, id, record_id from (${joined(parts, sql` union all `)}) entries
      order by at desc, kind like '%_update' desc, id desc, kind limit ${asked.limit}`,
  )
}
