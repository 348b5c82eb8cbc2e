import type Router from '@koa/router'
import type { ApiState } from '../web/state.ts'

export interface Health {
  database(): Promise<boolean>
  temporal(): Promise<boolean>
}

/** `/healthz`: the process answers. `/readyz`: the database takes writes; Temporal may be away. Balancers may ask both at any rate. */
export function serveHealth(router: Router<ApiState>, health: Health): void {
  router.get('/healthz', (ctx) => {
    ctx.state.route = '/healthz'
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  const database = shared(health.database)
  router.get('/readyz', async (ctx) => {
    ctx.state.route = '/readyz'
    ctx.set('Cache-Control', 'no-store')
    const [isUp, temporal] = await Promise.all([database(), health.temporal()])
    ctx.status = isUp ? 200 : 503
    if (!isUp) ctx.set('Retry-After', '2')
    const word = (up: boolean) => (up ? 'up' : 'away')
    ctx.body = { status: isUp ? 'ready' : 'unavailable', database: word(isUp), temporal: word(temporal) }
  })
}

const SHARED_MS = 100

/** Requests get the answer of a check that runs, or that began a moment ago: readiness has no rate limit, and a check costs a write. */
function shared(check: () => Promise<boolean>): () => Promise<boolean> {
  let last: { answer: Promise<boolean>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (last && now < last.until) return last.answer
    const answer = check()
    const own = { answer, until: Number.POSITIVE_INFINITY }
    last = own
    const ended = () => {
      own.until = now + SHARED_MS
    }
    answer.then(ended, ended)
    return answer
  }
}
