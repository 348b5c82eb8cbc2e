import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Match } from '../domain/pages/directory.ts'
import { addressesOf } from '../domain/pages/rules.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState }

/** A page for a request, with the address to redirect to if the request used a former slug of the page. */
export interface Found {
  page: PageRef
  movedTo?: string
}

/** The redirect goes to the current host of the page, with the same path and query. */
export function foundByHost(
  ctx: Context,
  { page, renamed }: Match,
  base: { baseUrl: string; baseDomain: string | undefined },
): Found {
  return renamed
    ? { page, movedTo: new URL(addressesOf(page, base).fallback_url).origin + ctx.path + ctx.search }
    : { page }
}

/** The redirect replaces the slug at this index of the path. */
export function foundBySlug(ctx: Context, { page, renamed }: Match, index: number): Found {
  return renamed
    ? { page, movedTo: ctx.path.split('/').with(index, page.public_slug).join('/') + ctx.search }
    : { page }
}

/** A private page is visible only with a token of the page. */
export const isHidden = (ctx: RequestContext, page: PageRef): boolean =>
  page.visibility === 'private' && ctx.state.caller?.pageId !== page.id

/** A permanent redirect that browsers revalidate, because another page may take the slug. */
export function redirect(ctx: Context, location: string): void {
  ctx.status = 308
  ctx.set('Location', location)
  ctx.set('Cache-Control', 'no-cache')
}
