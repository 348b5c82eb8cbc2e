import { z } from 'zod'
import { ApiToken } from '../../persistence/entities/api-token.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { message, text, version, versionToDelete } from '../kernel/schema.ts'
import { presentToken } from './presenter.ts'
import { ApiTokenResource, CreatedToken, TokenCreateRequest, TokenUpdateRequest } from './schema.ts'
import { makeToken } from './secret.ts'
import { tokenSubject } from './subject.ts'

const roleOf = { read: 'page_viewer', write: 'page_manager', admin: 'page_admin' }

export const createToken = operation({
  name: 'tokens.create',
  makes: 'API token',
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
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async ({ tx }, _input, token) => {
    tx.remove(token)
    return { message: `The token "${token.name}" is deleted.` }
  },
})

function expiry({ now }: Context, value: string | null | undefined): Date | null | undefined {
  if (value === null || value === undefined) return value
  const moment = new Date(value)
  if (moment <= now) throw invalid([{ path: 'expires_at', message: 'must lie in the future' }])
  return moment
}
