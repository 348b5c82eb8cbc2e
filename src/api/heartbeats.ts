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
  '/api/v1/heartbeats/:token/:said': '/api/v1/heartbeats/{token}/{said}',
}

interface Deps {
  services: Services
  rateLimits: RateLimits
  pulse: Pulse
}

/** Where the other side of heartbeats calls. The token says everything: there is neither a page nor a credential. */
export function serveHeartbeats(router: Router<ApiState>, deps: Deps): void {
  const limit = limitHeartbeats(deps.rateLimits)
  for (const [path, name] of Object.entries(paths)) {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = name
      // A call that a cache answers is one that we never hear.
      ctx.set('Cache-Control', 'no-store')
      return next()
    }
    router.register(path, METHODS, [note, (ctx: RequestContext) => take(deps, limit, ctx)] as never)
  }
}

type Limit = ReturnType<typeof limitHeartbeats>

async function take(deps: Deps, limit: Limit, ctx: RequestContext): Promise<void> {
  const { token = '', said } = ctx.params
  const call = readCall(said)
  const settle = limit(ctx, hashOf(token))
  let known: boolean | undefined
  try {
    known = await withDatabase(() => record(deps, ctx, token, call))
  } finally {
    settle(known)
  }
  if (!known) throw new Problem('not_found', 'There is no such heartbeat.')
  if (!call) throw invalid([{ path: 'said', message: callsInWords }])
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
    return await heartbeatCalled(services, token, await heard(ctx, call), pulse.confirm)
  } catch (error) {
    pulse.callRefused()
    throw error
  }
}

const MOST_BYTES = 10_000
const MOST_BODY_BYTES = 1024 * 1024
const PATIENCE_MS = 2000

/** What is sent along is read only of a failure, and only its beginning; more than any other request may hold is hung up on. */
async function heard(ctx: Context, call: Call): Promise<Call> {
  if (ctx.method !== 'POST') return call
  if (Number(ctx.get('Content-Length')) > MOST_BODY_BYTES) ctx.set('Connection', 'close')
  if (call.kind !== 'fail') return call
  const bytes = (await beginningOf(ctx.req)).subarray(0, MOST_BYTES)
  // A character that the end of the beginning cuts is left out, as what goes on.
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
