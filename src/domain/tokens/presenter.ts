import type { ApiToken } from '../../persistence/entities/api-token.ts'
import { stateOf } from './rules.ts'

export const iso = (moment: Date | null | undefined) => moment?.toISOString() ?? null

export function presentToken(token: ApiToken, now: Date) {
  return {
    id: token.id,
    name: token.name,
    description: token.description ?? undefined,
    prefix: token.prefix,
    permission: token.permission,
    role_key: token.role_key,
    state: stateOf(token, now),
    iac_managed: token.iac_managed,
    version: token.version,
    created_at: token.created_at.toISOString(),
    created_by: token.created_by,
    expires_at: iso(token.expires_at),
    last_used_at: iso(token.last_used_at),
    revoked_at: iso(token.revoked_at),
    revoke_reason: token.revoke_reason ?? undefined,
  }
}
