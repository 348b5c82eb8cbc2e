import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { identifier, runUnprepared, type Statement, sql } from './sql.ts'

/** The names of records that a sentence may mean. `aliases` are other names, `items` the ids of affected items. */
export interface NamedRow {
  id: number
  name: string
  aliases?: string[]
  state?: string
  items?: number[]
}

/** Older resolved incidents and ended maintenances are found by their id only. */
const MOST_PAST = 50
const MOST = 2000

const itemsOf = (affected: Statement, only = sql``) =>
  sql`coalesce((select json_agg(i.item_id order by i.item_id) from ${affected}${only}), '[]'::json) as items`
const itemsOfIncident = sql`incident_impact i where i.incident_id = n.id`
const itemsOfMaintenance = sql`maintenance_item i where i.maintenance_id = m.id`

const reads = {
  items: sql`select id, name, array_remove(array[slug, abbreviated_name, external_id], null) as aliases
    from hierarchy_item where archived_at is null order by depth, id limit ${MOST}`,
  incidents: sql`(select id, title as name, array_remove(array[external_id], null) as aliases, 'open' as state,
      ${itemsOf(itemsOfIncident, sql` and i.end_time is null`)}
      from incident n where resolved_at is null order by id desc limit ${MOST})
    union all (select id, title, array_remove(array[external_id], null), 'resolved',
      ${itemsOf(itemsOfIncident)}
      from incident n where resolved_at is not null order by resolved_at desc, id desc limit ${MOST_PAST})`,
  maintenances: sql`(select id, title as name, array_remove(array[external_id], null) as aliases, status as state,
      ${itemsOf(itemsOfMaintenance)} from maintenance m
      where status in ('scheduled', 'in_progress') order by scheduled_start_time, id limit ${MOST})
    union all (select id, title, array_remove(array[external_id], null), status,
      ${itemsOf(itemsOfMaintenance)} from maintenance m
      where status not in ('scheduled', 'in_progress') order by id desc limit ${MOST_PAST})`,
  series: sql`select id, title as name, array_remove(array[external_id], null) as aliases, status as state
    from maintenance_series where status <> 'ended' order by id limit ${MOST}`,
  beats: sql`select id, name, array_remove(array[external_id], null) as aliases, current_stage as state
    from beat order by id limit ${MOST}`,
  beat_groups: sql`select id, name, array_remove(array[external_id], null) as aliases, current_stage as state
    from beat_group order by id limit ${MOST}`,
  actions: sql`select a.id::int, coalesce(b.name, g.name, '') as name, a.stage as state from beat_action a
    left join beat b on a.owner_kind = 'beat' and b.id = a.owner_id
    left join beat_group g on a.owner_kind = 'beat_group' and g.id = a.owner_id
    where a.state = 'pending_review' order by a.id limit ${MOST}`,
  endpoints: sql`select id, name, array_remove(array[external_id], null) as aliases
    from ingest_endpoint order by id limit ${MOST}`,
  status_types: sql`select id, key as name, array[name] as aliases
    from status_type where not archived order by display_order`,
}

export type NamedKind = keyof typeof reads

export const namesOf = (tx: EntityManager, kind: NamedKind): Promise<NamedRow[]> =>
  runUnprepared<NamedRow>(tx, reads[kind])

const tables = {
  item: 'hierarchy_item',
  incident: 'incident',
  maintenance: 'maintenance',
  series: 'maintenance_series',
  beat: 'beat',
  beat_group: 'beat_group',
  action: 'beat_action',
  endpoint: 'ingest_endpoint',
}

/** Which of the ids belong to records of the kind. */
export async function existingIds(tx: EntityManager, kind: keyof typeof tables, ids: number[]): Promise<number[]> {
  const rows = await runUnprepared<{ id: number }>(
    tx,
    sql`select id from ${identifier(tables[kind])} where id = any(${idList(ids)}::bigint[])`,
  )
  return rows.map(({ id }) => id)
}
