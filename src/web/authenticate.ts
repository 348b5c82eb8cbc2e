import type { Context, Middleware } from 'koa'
import type { Actor } from '../domain/kernel/context.ts'
import { Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import { stateOf } from '../domain/tokens/rules.ts'
import { matches, prefixOf } from '../domain/tokens/secret.ts'
import { findTokenByPrefix, touchToken } from '../persistence/system/tokens.ts'
import type { ApiState } from './state.ts'

const TOUCH_EVERY_MS = 60_000

type Caller = NonNullable<ApiState['caller']>

/** Identifies the caller. An invalid credential is refused and counted by `limit`, so that guessing takes long. */
export function authenticate(services: Services, limit: Middleware<ApiState>): Middleware<ApiState> {
  const identify = identifier(services)
  return async (ctx, next) => {
    try {
      ctx.state.caller = await identify(ctx)
    } catch (error) {
      await limit(ctx, async () => {})
      throw error
    }
    return next()
  }
}

/** Identifies the caller of a public read, which needs no credential: an invalid credential counts as none. */
export function authenticateReader(services: Services): Middleware<ApiState> {
  const identify = identifier(services)
  return async (ctx, next) => {
    ctx.state.caller = await identify(ctx).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unauthenticated') return { actor: anonymous }
      throw error
    })
    return next()
  }
}

const anonymous: Actor = { kind: 'anonymous', name: 'anonymous' }

function identifier(services: Services): (ctx: Context) => Promise<Caller> {
  const touched = new Map<number, number>()

  /** Stores the last use of a token, to the minute and outside the transaction of the request. */
  function touch(id: number, now: Date): void {
    if ((touched.get(id) ?? 0) > now.getTime() - TOUCH_EVERY_MS) return
    touched.set(id, now.getTime())
    touchToken(services.system, id, now).catch((err) =>
      services.logger.debug({ err }, 'could not store the last use of a token'),
    )
  }

  return async (ctx) => {
    const header = ctx.get('Authorization')
    if (header === '') return { actor: anonymous }
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
    const prefix = token && prefixOf(token)
    if (!token || !prefix) throw new Problem('unauthenticated', 'The Authorization header holds no valid API token.')
    const record = await withDatabase(() => findTokenByPrefix(services.system, prefix))
    const now = services.clock()
    if (!record || !matches(token, record.hash)) throw new Problem('unauthenticated', 'This token does not exist.')
    const state = stateOf(record, now)
    if (state !== 'active') throw new Problem('unauthenticated', `This token is ${state}.`)
    touch(record.id, now)
    const { id, name, permission, role_key, page_id } = record
    return { actor: { kind: 'token', id, name, permission, role_key }, pageId: page_id }
  }
}

/** Refuses a request without a token. */
export function requireToken({ state }: Context & { state: ApiState }): void {
  if (state.caller?.actor.kind === 'anonymous') {
    throw new Problem('unauthenticated', 'This request needs a bearer token: Authorization: Bearer <API_TOKEN>.')
  }
}
