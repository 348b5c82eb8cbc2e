import type Router from '@koa/router'
import type { ApiState } from '../web/state.ts'

export interface Health {
  database(): Promise<boolean>
  temporal(): Promise<boolean>
}

/** `/healthz`: the process answers. `/readyz`: the database takes writes; Temporal may be away. */
export function serveHealth(router: Router<ApiState>, health: Health): void {
  router.get('/healthz', (ctx) => {
    ctx.state.route = '/healthz'
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    ctx.state.route = '/readyz'
    ctx.set('Cache-Control', 'no-store')
    const [database, temporal] = await Promise.all([health.database(), health.temporal()])
    ctx.status = database ? 200 : 503
    if (!database) ctx.set('Retry-After', '2')
    const word = (up: boolean) => (up ? 'up' : 'away')
    ctx.body = { status: database ? 'ready' : 'unavailable', database: word(database), temporal: word(temporal) }
  })
}
