import { ApiToken } from '../../persistence/entities/api-token.ts'
import { recordSubject } from '../kernel/subject.ts'
import { iso } from './presenter.ts'

export const tokenSubject = recordSubject('API token', ApiToken, (token) => ({
  name: token.name,
  description: token.description,
  permission: token.permission,
  role_key: token.role_key,
  expires_at: iso(token.expires_at),
  revoked_at: iso(token.revoked_at),
  revoke_reason: token.revoke_reason,
}))
