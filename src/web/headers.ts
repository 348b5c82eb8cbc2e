import type { Context, Middleware } from 'koa'
import type { ApiState } from './state.ts'

/** Whether an answer at this path is for those alone who have a token. */
export const isAdminPath = (path: string) => /^\/api\/v1\/(admin|orgs|org|context)(\/|$)/.test(path)

/** What holds for every answer. An answer that may be kept says so with `allowCaching`. */
export function setCommonHeaders(): Middleware<ApiState> {
  return (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    if (isAdminPath(ctx.path) || hasCredential(ctx)) ctx.set('Cache-Control', 'no-store')
    return next()
  }
}

/** An answer to a request with a credential is never kept, whatever it holds. */
export function allowCaching(ctx: Context, how: string): void {
  if (!hasCredential(ctx)) ctx.set('Cache-Control', how)
}

const hasCredential = (ctx: Context) => ctx.get('Authorization') !== ''
