import type { Context, Middleware } from 'koa'
import type { ApiState } from './state.ts'

/** Whether an answer at this path is for those alone who have a token. */
export const isAdminPath = (path: string) => /^\/(mcp|api\/v1\/(admin|orgs|org|context))(\/|$)/.test(path)

/** The headers of every answer. `allowCaching` makes an answer cacheable. */
export function setCommonHeaders(): Middleware<ApiState> {
  return (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    if (isAdminPath(ctx.path) || hasCredential(ctx)) ctx.set('Cache-Control', 'no-store')
    return next()
  }
}

/** Sets the caching of an answer; an answer to a request with a credential is never cached. */
export function allowCaching(ctx: Context, how: string): void {
  if (!hasCredential(ctx)) ctx.set('Cache-Control', how)
}

const hasCredential = (ctx: Context) => ctx.get('Authorization') !== '' || ctx.state.accessToken !== undefined
