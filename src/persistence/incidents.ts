import { type EntityManager, raw } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { runUnprepared, sql } from './sql.ts'

/** The incidents that affect or have affected one of these items. */
export const incidentsOfItems = (ids: Iterable<number>) =>
  raw<number[]>('(select incident_id from incident_impact where item_id = any (?::int[]))', [idList([...ids])])

/** The maintenances that affect one of these items. */
export const maintenancesOfItems = (ids: Iterable<number>) =>
  raw<number[]>('(select maintenance_id from maintenance_item where item_id = any (?::int[]))', [idList([...ids])])

/** The incidents that affect or have affected an item. */
export async function incidentsOfItem(tx: EntityManager, itemId: number): Promise<number[]> {
  const rows = await runUnprepared<{ incident_id: number }>(
    tx,
    sql`select distinct incident_id from incident_impact where item_id = ${itemId}`,
  )
  return rows.map((row) => row.incident_id)
}

const affects = {
  incident: sql`select incident_id as id, item_id from incident_impact`,
  maintenance: sql`select maintenance_id as id, item_id from maintenance_item`,
}

/** Which of these records affect or have affected one of the items. */
export async function recordsWithin(
  tx: EntityManager,
  kind: keyof typeof affects,
  ids: number[],
  items: Iterable<number>,
): Promise<Set<number>> {
  const rows = await runUnprepared<{ id: number }>(
    tx,
    sql`select id from (${affects[kind]}) affected
      where id = any (${idList([...new Set(ids)])}::int[]) and item_id = any (${idList([...items])}::int[])`,
  )
  return new Set(rows.map(({ id }) => id))
}
