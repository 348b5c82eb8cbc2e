import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import type { Orm } from './orm.ts'

/** `read`: every statement of the transaction sees the same state. */
export type Purpose = 'write' | 'read'

const BEGIN: Record<Purpose, string> = { write: 'begin', read: 'begin isolation level repeatable read' }

/** Runs an isolated transaction, which can read and write the rows of one page only. */
export function inPageTransaction<T>(
  orm: Orm,
  pageId: number,
  work: (tx: EntityManager) => Promise<T>,
  purpose: Purpose = 'write',
): Promise<T> {
  // One round trip; the ORM would need two.
  return inTransaction(orm, `${BEGIN[purpose]}; set local app.page_id = '${Number(pageId)}'`, work)
}

/** Runs a transaction of the service itself, of its owner or of a job that crosses pages. */
export const inSystemTransaction = <T>(orm: Orm, work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(orm, BEGIN.write, work)

/**
 * The transactions of the ORM do not give back a connection that was lost in between. After a few losses the pool would have none
 * left, so all transactions are these.
 */
function inTransaction<T>(orm: Orm, begin: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  return orm.em
    .getKysely<unknown>()
    .connection()
    .execute(async (connection) => {
      const execute = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
      const tx = orm.em.fork()
      tx.setTransactionContext(connection)
      try {
        await execute(begin)
        const result = await work(tx)
        await tx.flush()
        await execute('commit')
        return result
      } catch (error) {
        // The caller needs the error of the work, not the error of a rollback on a lost connection.
        await execute('rollback').catch(() => {})
        throw error
      }
    })
}
