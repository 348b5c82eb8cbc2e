import { Page } from '../entities/page.ts'
import type { Orm } from '../orm.ts'

/** The hash of the password of viewers, which only the check of a password reads. */
export async function viewerPasswordHash(system: Orm, pageId: number): Promise<string | null> {
  const page = await system.em.fork().findOne(Page, { id: pageId }, { fields: ['viewer_password_hash'] })
  return page?.viewer_password_hash ?? null
}
