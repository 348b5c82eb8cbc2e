import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { heartbeatCalled, isHeartbeat } from '../domain/heartbeats/call.ts'
import { type Call, callsInWords, readCall, withWords } from '../domain/heartbeats/call-rules.ts'
import { hashOf } from '../domain/heartbeats/secret.ts'
import { invalid, Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import { limitRates, type RateLimits } from './middleware/rate-limits.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

const METHODS = ['GET', 'HEAD', 'POST']
const paths = {
  '/api/v1/heartbeats/:token': '/api/v1/heartbeats/{token}',
  '/api/v1/heartbeats/:token/:said': '/api/v1/heartbeats/{token}/{said}',
}

/** Where the other side of heartbeats calls. The token says everything: there is neither a page nor a credential. */
export function serveHeartbeats(router: Router<ApiState>, deps: { services: Services; rateLimits: RateLimits }): void {
  const limit = limitRates(deps.rateLimits, 'heartbeat')
  for (const [path, name] of Object.entries(paths)) {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = name
      ctx.state.heartbeat = hashOf((ctx as RequestContext).params.token ?? '')
      // A call that a cache answers is one that we never hear.
      ctx.set('Cache-Control', 'no-store')
      return next()
    }
    router.register(path, METHODS, [note, limit, (ctx: RequestContext) => take(deps.services, limit, ctx)] as never)
  }
}

async function take(services: Services, limit: Middleware<ApiState>, ctx: RequestContext): Promise<void> {
  const { token = '', said } = ctx.params
  const call = readCall(said)
  const known = await withDatabase(async () =>
    call ? heartbeatCalled(services, token, await heard(ctx, call)) : isHeartbeat(services, token),
  )
  if (!known) {
    // Counted by address, so that nobody guesses for long.
    ctx.state.heartbeat = undefined
    await limit(ctx, async () => {})
    throw new Problem('not_found', 'There is no such heartbeat.')
  }
  if (!call) throw invalid([{ path: 'said', message: callsInWords }])
  ctx.body = { message: 'recorded' }
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
  return withWords(call, new TextDecoder().decode(bytes, { stream: true }))
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
