import type { EntityManager } from '@mikro-orm/postgresql'
import type { HierarchyItem } from './entities/hierarchy-item.ts'
import type { IncidentUpdate } from './entities/incident-update.ts'
import { idList } from './rows.ts'
import { run, sql } from './sql.ts'

/**
 * The parts of full incidents from other tables, as plain rows: a hundred incidents have a thousand updates, and creating
 * entities would take several times as long as all other work. Changes must be flushed before.
 */

type Words = 'id' | 'message' | 'status' | 'is_resolution' | 'previous_status' | 'lifecycle_stage_id'

/** An update of an incident in answers. */
export type EntryRow = Pick<IncidentUpdate, Words> & Record<'created_at' | 'updated_at', string>

/** Converts `2026-03-02 10:00:00.5`, a moment in UTC as the database writes it, to the form of `toISOString`. */
const iso = (utc: string) => `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${utc.slice(20).padEnd(3, '0')}Z`

/** The updates of incidents, newest first. */
export async function timelinesOf(tx: EntityManager, incidentIds: number[]) {
  const rows = await run<EntryRow & { incident_id: number }>(
    tx,
    sql`select id, incident_id, message, status, is_resolution, previous_status, lifecycle_stage_id,
        (created_at at time zone 'UTC')::text as created_at, (updated_at at time zone 'UTC')::text as updated_at
      from incident_update where incident_id = any(${idList(incidentIds)}::int[]) order by id desc`,
  )
  return rows.map((row) => {
    const created_at = iso(row.created_at)
    return { ...row, created_at, updated_at: row.updated_at === row.created_at ? created_at : iso(row.updated_at) }
  })
}

type ItemWords = Pick<HierarchyItem, 'id' | 'name' | 'slug' | 'depth' | 'status' | 'abbreviated_name' | 'archived_at'>

/** The ids of all items that an incident affects or has affected. */
export async function itemsOfIncident(tx: EntityManager, incidentId: number): Promise<number[]> {
  const rows = await run<{ item_id: number }>(
    tx,
    sql`select distinct item_id from incident_impact where incident_id = ${incidentId} order by item_id`,
  )
  return rows.map((row) => row.item_id)
}

/** The items that an open incident affects, or that a resolved incident affected until its resolution, each once. */
export function itemsHeldBy(tx: EntityManager, incidentIds: number[]) {
  return run<ItemWords & { incident_id: number }>(
    tx,
    sql`select i.incident_id, h.id, h.name, h.slug, h.depth, h.status, h.abbreviated_name, h.archived_at
      from incident_impact i
        join hierarchy_item h on h.page_id = i.page_id and h.id = i.item_id
      where i.incident_id = any(${idList(incidentIds)}::int[]) and (i.end_time is null or i.ended_by_resolution)
      group by i.incident_id, h.id
      order by min(i.id)`,
  )
}
