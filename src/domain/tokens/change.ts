import { LockMode } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { ApiToken } from '../../persistence/entities/api-token.ts'
import { Page } from '../../persistence/entities/page.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { mayDo } from '../kernel/permissions.ts'
import { requireStored } from '../kernel/read-only.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, text, version, versionToDelete } from '../kernel/schema.ts'
import { presentToken } from './presenter.ts'
import { stateOf } from './rules.ts'
import { ApiTokenResource, CreatedToken, TokenCreateRequest, TokenUpdateRequest } from './schema.ts'
import { makeToken } from './secret.ts'
import { tokenSubject } from './subject.ts'

const roleOf = { read: 'page_viewer', write: 'page_manager', admin: 'page_admin' }

export const createToken = operation({
  name: 'tokens.create',
  makes: 'API token',
  area: 'tokens',
  permission: 'admin',
  summary: 'Create an API token; only the answer shows its value',
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
  description:
    'The expiry of an expired or revoked token cannot change: 409. The last admin token of a page that stays active for a day cannot get an earlier expiry: 409.',
  subject: tokenSubject,
  input: TokenUpdateRequest,
  output: ApiTokenResource,
  run: async (ctx, input, token) => {
    requireStored(ctx, presentToken(token, ctx.now))
    const changed = trackRevision(ctx, tokenSubject, token)
    assignDefined(token, { name: input.name, description: input.description })
    if (input.expires_at !== undefined) await expireAt(ctx, token, input.expires_at)
    changed()
    return presentToken(token, ctx.now)
  },
})

export const revokeToken = operation({
  name: 'tokens.revoke',
  area: 'tokens',
  permission: 'admin',
  summary: 'Revoke an API token permanently',
  description: 'The last admin token of a page that stays active for a day cannot be revoked: 409.',
  subject: tokenSubject,
  input: z.strictObject({ reason: text(500).optional(), version: version().optional() }),
  output: ApiTokenResource,
  run: async (ctx, input, token) => {
    if (token.revoked_at) {
      ctx.existing()
    } else {
      await keepAnAdmin(ctx, token, 'revoked')
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
  description: 'The last admin token of a page that stays active for a day cannot be deleted: 409.',
  subject: tokenSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, token) => {
    await keepAnAdmin(ctx, token, 'deleted')
    ctx.tx.remove(token)
    return { message: `The token "${token.name}" is deleted.` }
  },
})

/** Changes the expiry of an active token. An expired or revoked token cannot become active again. */
async function expireAt(ctx: Context, token: ApiToken, value: string | null): Promise<void> {
  const was = token.expires_at?.getTime()
  if (was === (value === null ? undefined : new Date(value).getTime())) return
  const state = stateOf(token, ctx.now)
  if (state !== 'active') {
    throw new Problem(
      'conflict',
      `The token "${token.name}" is ${state} and cannot become active again: create a new token.`,
    )
  }
  const until = expiry(ctx, value) ?? null
  const isShorter = until !== null && (was === undefined || until.getTime() < was)
  if (isShorter) await keepAnAdmin(ctx, token, 'made to expire earlier')
  token.expires_at = until
}

/** A token that expires sooner may expire before an admin has created another one. */
const LEAST_LEFT_MS = 24 * 60 * 60 * 1000

/** Refuses to end the last admin token of the page that stays active: only the command line could create another one. */
async function keepAnAdmin({ tx, now, page }: Context, token: ApiToken, what: string): Promise<void> {
  if (!isActiveAdmin(token, now)) return
  // The lock serializes two requests that each end the token of the other.
  await tx.findOneOrFail(Page, { id: page.id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  const others = await tx.find(ApiToken, { id: { $ne: token.id } }, { refresh: true })
  const later = new Date(now.getTime() + LEAST_LEFT_MS)
  if (others.some((other) => isActiveAdmin(other, later))) return
  throw new Problem(
    'conflict',
    `The token "${token.name}" is the last admin token of the page that stays active for a day and cannot be ${what}: create another one first.`,
  )
}

/** Whether the token can create other tokens at this moment. */
const isActiveAdmin = (token: ApiToken, now: Date): boolean =>
  stateOf(token, now) === 'active' && mayDo(token, 'tokens', 'admin')

function expiry({ now }: Context, value: string | null | undefined): Date | null | undefined {
  if (value === null || value === undefined) return value
  const moment = new Date(value)
  if (moment <= now) throw invalid([{ path: 'expires_at', message: 'must lie in the future' }])
  return moment
}
