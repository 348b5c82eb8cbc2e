import type { Context, Middleware } from 'koa'
import type { ApiState } from './state.ts'

const BELOW_SLUG = /^\/status\/([^/]+)(\/(?!\/).*)?$/

/**
 * Every address of a reader also exists below `/status/{public_slug}`, on any host: the rest of the path finds the route, and
 * the slug finds the page.
 */
export function readPagePath(): Middleware<ApiState> {
  return (ctx, next) => {
    const [, slug, rest = '/'] = BELOW_SLUG.exec(ctx.path) ?? []
    ctx.state.base = ''
    if (slug !== undefined) {
      Object.assign(ctx.state, { publicSlug: slug, base: baseOf(slug) })
      ctx.path = rest
    }
    return next()
  }
}

/** Skips routes that do not exist below `/status/{public_slug}`. */
export function onlyWithoutSlug(routes: Middleware<ApiState>): Middleware<ApiState> {
  return (ctx, next) => (ctx.state.publicSlug === undefined ? routes(ctx, next) : next())
}

/** The path of a request as its client asked for it. */
export const askedPath = ({ path, state }: Context & { state: Partial<ApiState> }): string =>
  pathBelow(state.base ?? '', path)

/** The base of all paths of a page that is named by its slug. */
export const baseOf = (slug: string): string => `/status/${slug}`

/** A path below a base; the page itself is at the base without a slash. */
export const pathBelow = (base: string, path: string): string =>
  base === '' ? path : base + (path === '/' ? '' : path)

/** The name of a route with the same number of values for all pages. */
export const routeName = ({ route = 'none', publicSlug }: Partial<ApiState>): string => {
  return publicSlug === undefined || route === 'none' ? route : pathBelow(baseOf('{public_slug}'), route)
}
