import { z } from 'zod'
import { ApiToken } from '../../persistence/entities/api-token.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { message, text, version } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { stateOf } from './rules.ts'
import { ApiTokenResource, CreatedToken, TokenCreateRequest, TokenUpdateRequest } from './schema.ts'
import { makeToken, matches, prefixOf } from './secret.ts'

const roleOf = { read: 'page_viewer', write: 'page_manager', admin: 'page_admin' }

const iso = (moment: Date | null | undefined) => moment?.toISOString() ?? null

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

const tokenSubject = recordSubject('API token', ApiToken, (token) => ({
  name: token.name,
  description: token.description,
  permission: token.permission,
  role_key: token.role_key,
  expires_at: iso(token.expires_at),
  revoked_at: iso(token.revoked_at),
  revoke_reason: token.revoke_reason,
}))

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

export const createToken = operation({
  name: 'tokens.create',
  area: 'tokens',
  permission: 'admin',
  summary: 'Create an API token; the answer shows it once',
  input: TokenCreateRequest,
  output: CreatedToken,
  run: async (ctx, input) => {
    const { tx, now, page, actor } = ctx
    const { token, prefix, hash } = makeToken()
    const record = tx.create(ApiToken, {
      page_id: page.id,
      name: input.name,
      description: input.description ?? null,
      prefix,
      hash,
      permission: input.permission,
      role_key: input.role_key ?? roleOf[input.permission],
      iac_managed: false,
      version: 1,
      created_at: now,
      created_by: actor.name,
      expires_at: expiry(ctx, input.expires_at) ?? null,
      last_used_at: null,
      revoked_at: null,
      revoke_reason: null,
    })
    await tx.flush()
    return { ...presentToken(record, now), token }
  },
})

export const updateToken = operation({
  name: 'tokens.update',
  area: 'tokens',
  permission: 'admin',
  summary: 'Change the name, description or expiry of an API token',
  subject: tokenSubject,
  input: TokenUpdateRequest,
  output: ApiTokenResource,
  run: async (ctx, input, token) => {
    if (input.name !== undefined) token.name = input.name
    if (input.description !== undefined) token.description = input.description
    if (input.expires_at !== undefined) token.expires_at = expiry(ctx, input.expires_at) ?? null
    token.version += 1
    return presentToken(token, ctx.now)
  },
})

export const revokeToken = operation({
  name: 'tokens.revoke',
  area: 'tokens',
  permission: 'admin',
  summary: 'Revoke an API token, at once and for good',
  subject: tokenSubject,
  input: z.strictObject({ reason: text(500).optional(), version: version().optional() }),
  output: ApiTokenResource,
  run: async (ctx, input, token) => {
    if (token.revoked_at) {
      ctx.existing()
    } else {
      token.revoked_at = ctx.now
      token.revoke_reason = input.reason ?? null
      token.version += 1
    }
    return presentToken(token, ctx.now)
  },
})

export const deleteToken = operation({
  name: 'tokens.delete',
  area: 'tokens',
  permission: 'admin',
  summary: 'Delete an API token',
  subject: tokenSubject,
  input: z.strictObject({}),
  output: message,
  run: async ({ tx }, _input, token) => {
    tx.remove(token)
    return { message: `The token "${token.name}" is deleted.` }
  },
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
  summary: 'Tell whether a token of this page is valid',
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

function expiry({ now }: Context, value: string | null | undefined): Date | null | undefined {
  if (value === null || value === undefined) return value
  const moment = new Date(value)
  if (moment <= now) throw invalid([{ path: 'expires_at', message: 'must lie in the future' }])
  return moment
}
