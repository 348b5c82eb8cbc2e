import { ApiToken } from '../entities/api-token.ts'
import type { Orm } from '../orm.ts'

/** A token says which page it belongs to, so it is looked up before any page is known. */
export function findTokenByPrefix(system: Orm, prefix: string): Promise<ApiToken | null> {
  return system.em.fork().findOne(ApiToken, { prefix })
}

export async function touchToken(system: Orm, id: number, now: Date): Promise<void> {
  await system.em.fork().nativeUpdate(ApiToken, { id }, { last_used_at: now })
}
