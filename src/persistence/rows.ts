import type { EntityManager, EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/postgresql'
import { identifier, joined, run, sql, type Value } from './sql.ts'

const tableOf = <T extends object>(tx: EntityManager, entity: EntityName<T>) =>
  identifier(tx.getMetadata(entity).tableName)

/**
 * Inserts one row of an entity whose columns are named like its properties, and returns the row with its id. The ORM does not
 * track the record: for paths on which the unit of work of the ORM costs more than the insert.
 */
export async function insertRow<T extends { id: number }>(
  tx: EntityManager,
  entity: EntityName<T>,
  values: Omit<T, 'id' | symbol>,
): Promise<T> {
  const columns = Object.keys(values).map(identifier)
  // The driver writes an object as its JSON.
  const parameters = (Object.values(values) as Value[]).map((value) => sql`${value}`)
  const [row] = await run<{ id: number }>(
    tx,
    sql`insert into ${tableOf(tx, entity)} (${joined(columns)}) values (${joined(parameters)}) returning id`,
  )
  return { ...values, id: row!.id } as T
}

/** Ids as one parameter, because the driver would quote and join each id. */
export const idList = (ids: number[]) => `{${ids.join(',')}}`

/** A moment of a raw statement, which is a text. */
export const dateOf = (text: unknown): Date | null => (text === null ? null : new Date(text as string))

/** Records as plain objects for reading: most of the cost of a list is change tracking of the ORM. */
export async function plainRows<T extends object>(
  tx: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { orderBy, limit }: { orderBy: QueryOrderMap<T>[]; limit: number },
): Promise<Readonly<T>[]> {
  const all = tx.createQueryBuilder(entity).select('*')
  // The types of the builder need literal conditions, and these conditions are generic.
  const query = all.where(where as never).orderBy(orderBy as never)
  return (await query.limit(limit).execute('all')) as T[]
}

/** The id of the record with an external id; read before each creation. */
export async function idOfExternal<T extends object>(
  tx: EntityManager,
  entity: EntityName<T>,
  externalId: string,
): Promise<number | undefined> {
  const [row] = await run<{ id: number }>(
    tx,
    sql`select id from ${tableOf(tx, entity)} where external_id = ${externalId}`,
  )
  return row?.id
}
