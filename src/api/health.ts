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
  const look = shared(() => Promise.all([health.database(), health.temporal()]))
  router.get('/readyz', async (ctx) => {
    ctx.state.route = '/readyz'
    ctx.set('Cache-Control', 'no-store')
    const [database, temporal] = await look()
    ctx.status = database ? 200 : 503
    if (!database) ctx.set('Retry-After', '2')
    const word = (up: boolean) => (up ? 'up' : 'away')
    ctx.body = { status: database ? 'ready' : 'unavailable', database: word(database), temporal: word(temporal) }
  })
}

const SHARED_MS = 100

/** Requests get the answer of a look that runs, or that began a moment ago: they have no rate limit, and a look costs a write. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let last: { answer: Promise<T>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (last && now < last.until) return last.answer
    const own = { answer: look(), until: Number.POSITIVE_INFINITY }
    last = own
    const end = () => {
      own.until = now + SHARED_MS
    }
    own.answer.then(end, end)
    return own.answer
  }
}
