import type { ApiToken } from '../../persistence/entities/api-token.ts'

export type TokenState = 'active' | 'revoked' | 'expired'

export function stateOf(token: Pick<ApiToken, 'revoked_at' | 'expires_at'>, now: Date): TokenState {
  if (token.revoked_at) return 'revoked'
  if (token.expires_at && token.expires_at <= now) return 'expired'
  return 'active'
}
