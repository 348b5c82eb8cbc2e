import type { Context, Middleware } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../../domain/kernel/errors.ts'
import type { ApiState } from '../state.ts'

export type Tier = 'public' | 'admin' | 'heartbeat'
export type RateLimits = Record<Tier, number> | 'off'

const WINDOW_SECONDS = 60

/** Public reads are counted by address, everything else by token; and by address again who has none that is known. */
export function limitRates(limits: RateLimits, tier: Tier): Middleware<ApiState> {
  if (limits === 'off') return (_ctx, next) => next()
  const points = limits[tier]
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS })
  return async (ctx, next) => {
    ctx.set('X-RateLimit-Tier', tier)
    ctx.set('X-RateLimit-Limit', String(points))
    ctx.set('X-RateLimit-Window-Seconds', String(WINDOW_SECONDS))
    try {
      await limiter.consume(keyOf(ctx, tier))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      ctx.set('Retry-After', String(Math.max(1, Math.ceil(error.msBeforeNext / 1000))))
      throw new Problem('rate_limited', `More than ${points} requests in a minute: wait and try again.`)
    }
    return next()
  }
}

function keyOf(ctx: Context & { state: ApiState }, tier: Tier): string {
  const { heartbeat } = ctx.state
  if (tier === 'heartbeat' && heartbeat !== undefined) return `heartbeat ${heartbeat}`
  const actor = ctx.state.caller?.actor
  return tier === 'admin' && actor?.kind === 'token' ? `token ${actor.id}` : `address ${ctx.ip}`
}
