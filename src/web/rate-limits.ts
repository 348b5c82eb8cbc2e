import type { Context, Middleware } from 'koa'
import { Problem } from '../domain/kernel/errors.ts'
import { networkOf } from '../outbound/address-rules.ts'
import { countRequests, type RequestCounts } from './request-counts.ts'
import type { ApiState } from './state.ts'
import { InnerRequest } from './warming/inner-requests.ts'

type Tier = 'public' | 'admin' | 'heartbeat' | 'ingest' | 'viewer_password' | AskingTier
/** The tiers of requests that send a mail to any address. */
export type AskingTier = 'subscribe' | 'magic_link'
export type RateLimits = Record<Tier, number> | 'off'

const WINDOW_SECONDS = 60
/** Bounds the memory of each count. A client with more addresses than this is not limited by address. */
const MAX_KEYS = 50_000
const UNKNOWN_HEARTBEATS_PER_WINDOW = 60
const MAX_KNOWN_HEARTBEATS = 100_000

type RequestContext = Context & { state: ApiState }

/** The limit of a tier as middleware, and for a request that is answered without middleware. */
export type RateLimit = Middleware<ApiState> & {
  /** Counts a request of an address, unless it is above the limit. */
  admits(address: string): boolean
}

/** Counts admin requests by token, and all other requests and requests without a known token by address. */
export function limitRates(limits: RateLimits, tier: 'public' | 'admin' | AskingTier): RateLimit {
  const next: Middleware<ApiState> = (_ctx, next) => next()
  if (limits === 'off') return Object.assign(next, { admits: () => true })
  const counts = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  const limit = limits[tier]
  const middleware: Middleware<ApiState> = (ctx, next) => {
    if (ctx.req instanceof InnerRequest) return next()
    spend(ctx, { counts, tier, limit, key: keyOf(ctx, tier) })
    return next()
  }
  const admits = (address: string) => {
    const key = keyOfAddress(address)
    if (counts.add(key).count <= limit) return true
    counts.add(key, -1)
    return false
  }
  return Object.assign(middleware, { admits })
}

interface Spending {
  counts: RequestCounts
  tier: Tier
  limit: number
  key: string
  /** What is counted, if not requests. */
  what?: string
}

function spend(ctx: Context, { counts, tier, limit, key, what = 'requests' }: Spending): void {
  setLimitHeaders(ctx, tier, limit)
  const { count, endsInMs } = counts.add(key)
  if (count <= limit) return
  throw rateLimited(ctx, `More than ${limit} ${what} in a minute`, endsInMs)
}

function setLimitHeaders(ctx: Context, tier: Tier, limit: number): void {
  ctx.set('X-RateLimit-Tier', tier)
  ctx.set('X-RateLimit-Limit', String(limit))
  ctx.set('X-RateLimit-Window-Seconds', String(WINDOW_SECONDS))
}

function rateLimited(ctx: Context, what: string, waitMs: number): Problem {
  ctx.set('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))))
  return new Problem('rate_limited', `${what}: wait and try again.`)
}

function keyOf(ctx: RequestContext, tier: Tier): string {
  const actor = ctx.state.caller?.actor
  return tier === 'admin' && actor?.kind === 'token' ? `token ${actor.id}` : addressKey(ctx)
}

const addressKey = (ctx: Context) => keyOfAddress(ctx.ip)
const keyOfAddress = (address: string) => `address ${networkOf(address)}`

/** Counts an attempt to give the password of a page. `succeeded` takes the attempt from the count of the page. */
export type LimitPasswords = (ctx: Context, pageId: number) => { succeeded(): void }

/** Guesses of many addresses are limited together; a higher limit would lock out all viewers less easily. */
const ADDRESSES_PER_PAGE = 30

/** Counts attempts by address and page, and the failed attempts of all addresses by page. */
export function limitPasswords(limits: RateLimits): LimitPasswords {
  if (limits === 'off') return () => ({ succeeded() {} })
  const tier = 'viewer_password'
  const limit = limits[tier]
  const byAddress = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  const byPage = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  return (ctx, pageId) => {
    const page = String(pageId)
    spend(ctx, { counts: byAddress, tier, limit, key: `${page} ${addressKey(ctx)}` })
    spend(ctx, { counts: byPage, tier, limit: limit * ADDRESSES_PER_PAGE, key: page })
    return { succeeded: () => void byPage.add(page, -1) }
  }
}

/** Called after the look-up of a heartbeat token: whether the token exists, or undefined without a database. */
export type Settle = (known: boolean | undefined) => void

/**
 * Counts a known heartbeat by its token. A token that this process does not know is counted by its address before the
 * look-up: a nonexistent token takes ten points of the address, so that an address can try 60 a minute, and an existing token
 * gives its point back. `hash` is undefined for an invalid token.
 */
export function limitHeartbeats(limits: RateLimits): (ctx: Context, hash: string | undefined) => Settle {
  if (limits === 'off') return () => () => {}
  const limit = limits.heartbeat
  const byToken = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  const byAddress = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  const costOfUnknown = Math.max(1, Math.floor(limit / UNKNOWN_HEARTBEATS_PER_WINDOW))
  const known = new Set<string>()

  function remember(hash: string): void {
    known.delete(hash)
    known.add(hash)
    for (const oldest of known) {
      if (known.size <= MAX_KNOWN_HEARTBEATS) break
      known.delete(oldest)
    }
  }

  return (ctx, hash) => {
    const key = addressKey(ctx)
    if (hash !== undefined && known.has(hash)) {
      spend(ctx, { counts: byToken, tier: 'heartbeat', limit, key: hash })
      return (isKnown) => {
        if (isKnown !== false) return
        known.delete(hash)
        byAddress.add(key, costOfUnknown)
      }
    }
    const what = `requests from one address, of which each with an unknown token counts as ${costOfUnknown},`
    spend(ctx, { counts: byAddress, tier: 'heartbeat', limit, key, what })
    return (isKnown) => {
      byAddress.add(key, isKnown === false ? costOfUnknown - 1 : -1)
      if (!isKnown || hash === undefined) return
      remember(hash)
      byToken.add(hash)
    }
  }
}

/** The limits of events. Unknown tokens are limited by address before they cost a look-up. */
export interface IngestLimit {
  /** Throws for an event above the limits. */
  spend(ctx: Context, hash: string | undefined): void
  /** Called after the look-up: the endpoint of the token, or undefined for a token that does not work. */
  learn(ctx: Context, hash: string | undefined, endpointId: number | undefined): void
  /** The endpoint of a token that this process has seen. */
  endpointOf(hash: string): number | undefined
}

interface Bucket {
  points: number
  at: number
}

/** An endpoint may send twice the events of a minute at once, and gets new points evenly. */
export function limitIngest(limits: RateLimits, now = () => performance.now()): IngestLimit {
  const known = new Map<string, number>()
  const buckets = new Map<number, Bucket>()
  const byAddress = countRequests(WINDOW_SECONDS * 1000, MAX_KEYS)
  const endpointOf = (hash: string) => known.get(hash)
  if (limits === 'off') return { spend() {}, learn() {}, endpointOf }
  const { ingest: limit } = limits
  const perMs = limit / (WINDOW_SECONDS * 1000)
  const most = 2 * limit

  function take(ctx: Context, endpointId: number): void {
    const { points, at } = buckets.get(endpointId) ?? { points: most, at: now() }
    const left = Math.min(most, points + (now() - at) * perMs) - 1
    buckets.set(endpointId, { points: Math.max(0, left), at: now() })
    setLimitHeaders(ctx, 'ingest', limit)
    if (left < 0) throw rateLimited(ctx, `More than ${limit} events in a minute`, -left / perMs)
  }

  return {
    spend(ctx, hash) {
      const endpointId = hash === undefined ? undefined : known.get(hash)
      if (endpointId !== undefined) return take(ctx, endpointId)
      spend(ctx, { counts: byAddress, tier: 'ingest', limit, key: addressKey(ctx) })
    },
    learn(ctx, hash, endpointId) {
      if (hash === undefined) return
      // A token that has ended costs the address of its sender, and not its endpoint.
      if (endpointId === undefined) return void known.delete(hash)
      if (!known.has(hash)) byAddress.add(addressKey(ctx), -1)
      known.set(hash, endpointId)
      for (const oldest of known.keys()) {
        if (known.size <= MAX_KEYS) break
        known.delete(oldest)
      }
    },
    endpointOf,
  }
}
