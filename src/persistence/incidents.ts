import type { EntityManager } from '@mikro-orm/postgresql'

/** The incidents that affect or have affected an item. */
export async function incidentsOfItem(tx: EntityManager, itemId: number): Promise<number[]> {
  const rows = await tx.execute<{ incident_id: number }[]>(
    'select distinct incident_id from incident_impact where item_id = ?',
    [itemId],
  )
  return rows.map((row) => row.incident_id)
}
