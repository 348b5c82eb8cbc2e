import { z } from 'zod'
import { ApiToken } from '../../persistence/entities/api-token.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { presentToken } from './presenter.ts'
import { stateOf } from './rules.ts'
import { ApiTokenResource } from './schema.ts'
import { matches, prefixOf } from './secret.ts'
import { tokenSubject } from './subject.ts'

export const listTokens = operation({
  name: 'tokens.list',
  area: 'tokens',
  permission: 'admin',
  summary: 'List API tokens, newest first',
  changes: false,
  input: z.strictObject({ ...pagingFields }),
  output: listOf('api_tokens', ApiTokenResource),
  run: async ({ tx, now }, { limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const where = after ? { id: { $lt: after[0] } } : {}
    const rows = await tx.find(ApiToken, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const page = pageOf(rows, limit, (token) => [token.id])
    const total = await tx.count(ApiToken)
    return { api_tokens: page.rows.map((token) => presentToken(token, now)), total, next_cursor: page.next_cursor }
  },
})

export const getToken = operation({
  name: 'tokens.get',
  area: 'tokens',
  permission: 'admin',
  summary: 'Get an API token',
  changes: false,
  subject: tokenSubject,
  input: z.strictObject({}),
  output: ApiTokenResource,
  run: async ({ now }, _input, token) => presentToken(token, now),
})

export const tokenStats = operation({
  name: 'tokens.stats',
  area: 'tokens',
  permission: 'admin',
  summary: 'Count API tokens by state and permission',
  changes: false,
  input: z.strictObject({}),
  output: z
    .strictObject({
      total: z.int(),
      active: z.int(),
      expired: z.int(),
      revoked: z.int(),
      by_permission: z.strictObject({ admin: z.int(), read: z.int(), write: z.int() }),
    })
    .meta({ id: 'APITokenStats' }),
  run: async ({ tx, now }) => {
    const tokens = await tx.findAll(ApiToken, { fields: ['permission', 'revoked_at', 'expires_at'] })
    const count = (test: (token: (typeof tokens)[number]) => boolean) => tokens.filter(test).length
    return {
      total: tokens.length,
      active: count((token) => stateOf(token, now) === 'active'),
      expired: count((token) => stateOf(token, now) === 'expired'),
      revoked: count((token) => stateOf(token, now) === 'revoked'),
      by_permission: {
        admin: count((token) => token.permission === 'admin'),
        read: count((token) => token.permission === 'read'),
        write: count((token) => token.permission === 'write'),
      },
    }
  },
})

export const validateToken = operation({
  name: 'tokens.validate',
  area: 'tokens',
  permission: 'admin',
  summary: 'Validate a token of this page',
  changes: false,
  input: z.strictObject({ token: z.string().min(1).max(200).meta({ writeOnly: true }) }),
  output: z
    .strictObject({ valid: z.boolean(), token: ApiTokenResource.optional().describe('Absent for an unknown token') })
    .meta({ id: 'APITokenValidation' }),
  run: async ({ tx, now }, { token }) => {
    const prefix = prefixOf(token)
    const record = prefix === undefined ? null : await tx.findOne(ApiToken, { prefix })
    if (!record || !matches(token, record.hash)) return { valid: false }
    return { valid: stateOf(record, now) === 'active', token: presentToken(record, now) }
  },
})
