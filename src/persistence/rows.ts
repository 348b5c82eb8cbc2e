import type { EntityManager, EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/**
 * Writes one new row of an entity whose columns are named like its properties, and returns it with its id. The ORM
 * does not know the record afterwards: for paths on which its unit of work costs more than the row.
 */
export async function insertRow<T extends { id: number }>(
  tx: EntityManager,
  entity: EntityName<T>,
  values: Omit<T, 'id' | symbol>,
): Promise<T> {
  const columns = Object.keys(values)
  const sql = `insert into ${tx.getMetadata(entity).tableName} (${columns.join(', ')})
    values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning id`
  const [row] = await run<{ id: number }>(tx, sql, Object.values(values))
  return { ...values, id: row!.id } as T
}

/** Ids as one parameter: the driver would quote and join them one by one. */
export const idList = (ids: number[]) => `{${ids.join(',')}}`

/** Records that are only read, as plain objects: what lists cost is mostly the ORM getting ready for their changes. */
export async function plainRows<T extends object>(
  tx: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { orderBy, limit }: { orderBy: QueryOrderMap<T>[]; limit: number },
): Promise<T[]> {
  const all = tx.createQueryBuilder(entity).select('*')
  // The builder's types follow a query that is spelled out, and this one is not.
  const query = all.where(where as never).orderBy(orderBy as never)
  return (await query.limit(limit).execute('all')) as T[]
}

/** Asked before each creation, and mostly there is none. */
export async function idOfExternal<T extends object>(
  tx: EntityManager,
  entity: EntityName<T>,
  externalId: string,
): Promise<number | undefined> {
  const sql = `select id from ${tx.getMetadata(entity).tableName} where external_id = $1`
  const [row] = await run<{ id: number }>(tx, sql, [externalId])
  return row?.id
}
