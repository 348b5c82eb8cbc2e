import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import type { Orm } from './orm.ts'

/** A transaction that can see and touch one page and nothing else, whatever it runs. */
export function behindWall<T>(orm: Orm, pageId: number, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  return orm.em
    .getKysely<unknown>()
    .connection()
    .execute(async (connection) => {
      const say = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
      const tx = orm.em.fork()
      tx.setTransactionContext(connection)
      try {
        // The ORM would take a round trip for each.
        await say(`begin; set local app.page_id = '${Number(pageId)}'`)
        const result = await work(tx)
        await tx.flush()
        await say('commit')
        return result
      } catch (error) {
        // Whoever asked wants to know why it failed, not that a lost connection cannot even roll back.
        await say('rollback').catch(() => {})
        throw error
      }
    })
}
