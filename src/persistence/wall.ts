import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from './orm.ts'

/** A transaction that can see and touch one page and nothing else, whatever it runs. */
export function behindWall<T>(orm: Orm, pageId: number, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  const em = orm.em.fork()
  em.setSessionContext({ variables: { 'app.page_id': pageId } })
  return em.transactional(work)
}
