import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../runtime/metrics.ts'
import { routeName } from './page-path.ts'
import type { ApiState } from './state.ts'

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,100}$/

/** A random beginning for this process, and a number: a random id for each request would take longer than a known answer. */
const beginning = randomUUID().slice(0, 24)
let count = 0

function nextId(): string {
  count += 1
  return beginning + count.toString(16).padStart(12, '0')
}

/** The id that the client gave, if it is acceptable, else a new one. */
export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : nextId()

/** Gives every request an id, in the answer and in its log lines, and measures the request. */
export function nameRequests(logger: Logger, metrics: Metrics): Middleware<ApiState> {
  return async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.get('X-Request-Id'))
    ctx.state.logger = logger.child({ request_id: ctx.state.requestId })
    ctx.set('X-Request-Id', ctx.state.requestId)
    const started = performance.now()
    await next()
    const seconds = (performance.now() - started) / 1000
    const route = routeName(ctx.state)
    metrics.requests.labels(ctx.method, route, String(ctx.status)).observe(seconds)
    // The route and not the path: some paths carry tokens.
    const line = { method: ctx.method, route, status: ctx.status, ms: Math.round(seconds * 1000) }
    if (ctx.status >= 500) ctx.state.logger.warn(line, 'answered')
    else ctx.state.logger.debug(line, 'answered')
  }
}
