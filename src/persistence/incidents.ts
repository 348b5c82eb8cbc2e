import { type EntityManager, raw } from '@mikro-orm/postgresql'

/** The incidents that affect or have affected one of these items. */
export const incidentsOfItems = (ids: Iterable<number>) =>
  raw<number[]>('(select incident_id from incident_impact where item_id = any (?::int[]))', [`{${[...ids].join(',')}}`])

/** The maintenances that affect one of these items. */
export const maintenancesOfItems = (ids: Iterable<number>) =>
  raw<number[]>('(select maintenance_id from maintenance_item where item_id = any (?::int[]))', [
    `{${[...ids].join(',')}}`,
  ])

/** The incidents that affect or have affected an item. */
export async function incidentsOfItem(tx: EntityManager, itemId: number): Promise<number[]> {
  const rows = await tx.execute<{ incident_id: number }[]>(
    'select distinct incident_id from incident_impact where item_id = ?',
    [itemId],
  )
  return rows.map((row) => row.incident_id)
}

const affects = {
  incident:
    'select incident_id as id from incident_impact where incident_id = any (?::int[]) and item_id = any (?::int[])',
  maintenance:
    'select maintenance_id as id from maintenance_item where maintenance_id = any (?::int[]) and item_id = any (?::int[])',
}

/** Which of these records affect or have affected one of the items. */
export async function recordsWithin(
  tx: EntityManager,
  kind: keyof typeof affects,
  ids: number[],
  items: Iterable<number>,
): Promise<Set<number>> {
  const lists = [`{${[...new Set(ids)].join(',')}}`, `{${[...items].join(',')}}`]
  return new Set((await tx.execute<{ id: number }[]>(affects[kind], lists)).map(({ id }) => id))
}
