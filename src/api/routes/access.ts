import { listAuditEvents } from '../../domain/audit/operations.ts'
import { listRoles } from '../../domain/roles/operations.ts'
import { createToken, deleteToken, revokeToken, updateToken } from '../../domain/tokens/change.ts'
import { getToken, listTokens, tokenStats, validateToken } from '../../domain/tokens/read.ts'
import { routesOf } from './route.ts'

const { get, post, patch, del } = routesOf('admin', 'Access')

export const accessRoutes = [
  get('/api-tokens', listTokens),
  post('/api-tokens', createToken, { status: 201 }),
  get('/api-tokens/stats', tokenStats),
  post('/api-tokens/validate', validateToken),
  get('/api-tokens/{id}', getToken),
  patch('/api-tokens/{id}', updateToken),
  del('/api-tokens/{id}', deleteToken),
  post('/api-tokens/{id}/revoke', revokeToken),
  get('/roles', listRoles),
  get('/audit-events', listAuditEvents),
]
