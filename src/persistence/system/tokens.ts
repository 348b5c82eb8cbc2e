import { ApiToken } from '../entities/api-token.ts'
import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

export interface TokenOfRequest
  extends Pick<
    ApiToken,
    'id' | 'page_id' | 'name' | 'hash' | 'permission' | 'role_key' | 'expires_at' | 'revoked_at'
  > {}

/** The token with this prefix, which determines the page of a request. Runs at every request, so without the ORM. */
export async function findTokenByPrefix(system: Orm, prefix: string): Promise<TokenOfRequest | undefined> {
  const [row] = await run<TokenOfRequest>(
    system.em,
    sql`select id, page_id, name, hash, permission, role_key, expires_at, revoked_at
      from api_token where prefix = ${prefix}`,
  )
  const moment = (text: Date | string | null) => (text === null ? null : new Date(text))
  return row && { ...row, expires_at: moment(row.expires_at), revoked_at: moment(row.revoked_at) }
}

export async function touchToken(system: Orm, id: number, now: Date): Promise<void> {
  await system.em.fork().nativeUpdate(ApiToken, { id }, { last_used_at: now })
}
