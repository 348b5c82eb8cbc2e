import type { EntityManager } from '@mikro-orm/postgresql'

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

const itemsOf = (table: string, column: string, record: string, only = '') =>
  `coalesce((select json_agg(i.item_id order by i.item_id) from ${table} i
    where i.${column} = ${record}.id${only}), '[]'::json) as items`

const reads = {
  items: `select id, name, array_remove(array[slug, abbreviated_name, external_id], null) as aliases
    from hierarchy_item where archived_at is null order by depth, id limit ${MOST}`,
  incidents: `(select id, title as name, array_remove(array[external_id], null) as aliases, 'open' as state,
      ${itemsOf('incident_impact', 'incident_id', 'n', ' and i.end_time is null')}
      from incident n where resolved_at is null order by id desc limit ${MOST})
    union all (select id, title, array_remove(array[external_id], null), 'resolved',
      ${itemsOf('incident_impact', 'incident_id', 'n')}
      from incident n where resolved_at is not null order by resolved_at desc, id desc limit ${MOST_PAST})`,
  maintenances: `(select id, title as name, array_remove(array[external_id], null) as aliases, status as state,
      ${itemsOf('maintenance_item', 'maintenance_id', 'm')} from maintenance m
      where status in ('scheduled', 'in_progress') order by scheduled_start_time, id limit ${MOST})
    union all (select id, title, array_remove(array[external_id], null), status,
      ${itemsOf('maintenance_item', 'maintenance_id', 'm')} from maintenance m
      where status not in ('scheduled', 'in_progress') order by id desc limit ${MOST_PAST})`,
  series: `select id, title as name, array_remove(array[external_id], null) as aliases, status as state
    from maintenance_series where status <> 'ended' order by id limit ${MOST}`,
  beats: `select id, name, array_remove(array[external_id], null) as aliases, current_stage as state
    from beat order by id limit ${MOST}`,
  beat_groups: `select id, name, array_remove(array[external_id], null) as aliases, current_stage as state
    from beat_group order by id limit ${MOST}`,
  actions: `select a.id::int, coalesce(b.name, g.name, '') as name, a.stage as state from beat_action a
    left join beat b on a.owner_kind = 'beat' and b.id = a.owner_id
    left join beat_group g on a.owner_kind = 'beat_group' and g.id = a.owner_id
    where a.state = 'pending_review' order by a.id limit ${MOST}`,
  endpoints: `select id, name, array_remove(array[external_id], null) as aliases from ingest_endpoint order by id limit ${MOST}`,
  status_types: `select id, key as name, array[name] as aliases from status_type where not archived order by display_order`,
}

export type NamedKind = keyof typeof reads

export const namesOf = (tx: EntityManager, kind: NamedKind): Promise<NamedRow[]> => tx.execute<NamedRow[]>(reads[kind])

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
  const rows = await tx.execute<{ id: number }[]>(
    `select id from ${tables[kind]} where id in (${ids.map(() => '?').join()})`,
    ids,
  )
  return rows.map(({ id }) => id)
}
