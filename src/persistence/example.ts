import type { EntityManager } from '@mikro-orm/postgresql'
import { StatusEvent } from './entities/status-event.ts'
import { run, sql } from './sql.ts'

/**
 * The records that refer to an item of the example. A status event whose cause was deleted does not count: the event is
 * deleted with the item. A corrected event and an event of a status set by hand count.
 */
export async function usesOfExampleItem(tx: EntityManager, id: number): Promise<string[]> {
  const [row] = await run<Record<'children' | 'incidents' | 'maintenances' | 'beats' | 'events', boolean>>(
    tx,
    sql`select exists(select 1 from hierarchy_item where parent_id = ${id}) as children,
        exists(select 1 from incident_impact where item_id = ${id}) as incidents,
        exists(select 1 from maintenance_item where item_id = ${id})
          or exists(select 1 from maintenance_series_item where item_id = ${id}) as maintenances,
        exists(select 1 from beat_component where item_id = ${id}) as beats,
        exists(select 1 from status_event e where e.item_id = ${id} and (e.corrected_at is not null
          or e.cause_kind = 'override'
          or (e.cause_kind = 'incident' and exists(select 1 from incident i where i.id = e.cause_id))
          or (e.cause_kind = 'maintenance' and exists(select 1 from maintenance m where m.id = e.cause_id)))) as events`,
  )
  return [
    ...(row?.children ? ['items below it'] : []),
    ...(row?.incidents ? ['incidents'] : []),
    ...(row?.maintenances ? ['maintenances'] : []),
    ...(row?.beats ? ['beats'] : []),
    ...(row?.events ? ['status events'] : []),
  ]
}

export const deleteStatusEvents = (tx: EntityManager, itemId: number) =>
  tx.nativeDelete(StatusEvent, { item_id: itemId })
