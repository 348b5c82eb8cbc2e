import type { Middleware } from 'koa'
import { invalid } from '../domain/kernel/errors.ts'
import type { ApiState } from './state.ts'

const MOST_PARAMETERS = 100

/** Refuses a query with many parameters before anything reads them: Koa's time for a query grows with the square of their number. */
export function boundQueries(limit: Middleware<ApiState>): Middleware<ApiState> {
  return async (ctx, next) => {
    if (ctx.querystring.split('&', MOST_PARAMETERS + 1).length <= MOST_PARAMETERS) return next()
    await limit(ctx, async () => {})
    throw invalid([{ path: '', message: `The query may have at most ${MOST_PARAMETERS} parameters.` }])
  }
}
