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
  return orm.em
    .getKysely<unknown>()
    .connection()
    .execute(async (connection) => {
      const execute = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
      const tx = orm.em.fork()
      tx.setTransactionContext(connection)
      try {
        // One round trip; the ORM would need two.
        await execute(`${BEGIN[purpose]}; set local app.page_id = '${Number(pageId)}'`)
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
