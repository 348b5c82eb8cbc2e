import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { heartbeatCalled, isHeartbeat } from '../domain/beats/heartbeats/call.ts'
import { type Call, callsInWords, readCall, withBody } from '../domain/beats/heartbeats/call-rules.ts'
import { hashOf } from '../domain/beats/heartbeats/secret.ts'
import { invalid, Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import { limitHeartbeats, type RateLimits } from '../web/rate-limits.ts'
import type { ApiState } from '../web/state.ts'
import type { Pulse } from './pulse.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

const METHODS = ['GET', 'HEAD', 'POST']
const paths = {
  '/api/v1/heartbeats/:token': '/api/v1/heartbeats/{token}',
  '/api/v1/heartbeats/:token/:outcome': '/api/v1/heartbeats/{token}/{outcome}',
}

interface Deps {
  services: Services
  rateLimits: RateLimits
  pulse: Pulse
}

/** The paths of heartbeat calls. The token identifies the beat; a call needs no page and no credential. */
export function serveHeartbeats(router: Router<ApiState>, deps: Deps): void {
  const limit = limitHeartbeats(deps.rateLimits)
  for (const [path, name] of Object.entries(paths)) {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = name
      // A cached answer would hide a call from the service.
      ctx.set('Cache-Control', 'no-store')
      return next()
    }
    router.register(path, METHODS, [note, (ctx: RequestContext) => take(deps, limit, ctx)] as never)
  }
}

type Limit = ReturnType<typeof limitHeartbeats>

async function take(deps: Deps, limit: Limit, ctx: RequestContext): Promise<void> {
  const { token = '', outcome } = ctx.params
  const call = readCall(outcome)
  const settle = limit(ctx, hashOf(token))
  let known: boolean | undefined
  try {
    known = await withDatabase(() => record(deps, ctx, token, call))
  } finally {
    settle(known)
  }
  if (!known) throw new Problem('not_found', 'There is no heartbeat with this token.')
  if (!call) throw invalid([{ path: 'outcome', message: callsInWords }])
  ctx.body = { message: 'recorded' }
}

async function record(
  { services, pulse }: Deps,
  ctx: RequestContext,
  token: string,
  call: Call | undefined,
): Promise<boolean> {
  try {
    if (!call) return await isHeartbeat(services, token)
    return await heartbeatCalled(services, token, await withEvidence(ctx, call), pulse.confirm)
  } catch (error) {
    pulse.callRefused()
    throw error
  }
}

const MOST_BYTES = 10_000
const MOST_BODY_BYTES = 1024 * 1024
const PATIENCE_MS = 2000

/** Reads the beginning of the body of a failure as evidence. The connection of an oversized body is closed. */
async function withEvidence(ctx: Context, call: Call): Promise<Call> {
  if (ctx.method !== 'POST') return call
  if (Number(ctx.get('Content-Length')) > MOST_BODY_BYTES) ctx.set('Connection', 'close')
  if (call.kind !== 'fail') return call
  const bytes = (await beginningOf(ctx.req)).subarray(0, MOST_BYTES)
  // A character that the limit cuts is left out.
  return withBody(call, new TextDecoder().decode(bytes, { stream: true }))
}

function beginningOf(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) done()
  }
  const done = () => {
    clearTimeout(timer)
    request.off('data', take).resume()
    resolve(Buffer.concat(chunks))
  }
  const timer = setTimeout(done, PATIENCE_MS)
  request.on('data', take).once('close', done).once('end', done).once('error', done)
  return promise
}
