import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Directory, Match } from '../domain/pages/directory.ts'
import { addressesOf } from '../domain/pages/rules.ts'
import { baseOf, pathBelow } from './page-path.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState }

/** A page for a request, with the address to redirect to if the request used a former slug of the page. */
export interface Found {
  page: PageRef
  movedTo?: string
}

interface Lookup {
  directory: Directory
  services: { baseUrl: string; baseDomain: string | undefined }
}

/** The page whose slug is in the path, else the page of the host. */
export async function findPageOfReader(
  { directory, services }: Lookup,
  ctx: RequestContext,
): Promise<Found | undefined> {
  const { publicSlug, caller } = ctx.state
  if (publicSlug !== undefined) {
    const named = await directory.byPublicSlug(publicSlug)
    return named && foundBySlug(ctx, named, (slug) => pathBelow(baseOf(slug), ctx.path))
  }
  const match = await directory.ofHost(ctx.host, caller?.pageId)
  return match && foundByHost(ctx, match, services)
}

/** The redirect goes to the current host of the page, with the same path and query. */
function foundByHost(ctx: Context, { page, renamed }: Match, base: Lookup['services']): Found {
  return renamed
    ? { page, movedTo: new URL(addressesOf(page, base).fallback_url).origin + ctx.path + ctx.search }
    : { page }
}

/** The redirect replaces the slug in the path. */
export function foundBySlug(ctx: Context, { page, renamed }: Match, pathWith: (slug: string) => string): Found {
  return renamed ? { page, movedTo: pathWith(page.public_slug) + ctx.search } : { page }
}

/** The page that a reader of a missing address may go to: the page of the slug in the path, else of the host, if public. */
export async function homeOf({ directory }: Pick<Lookup, 'directory'>, ctx: RequestContext) {
  const { publicSlug, base } = ctx.state
  const named = publicSlug === undefined ? undefined : await directory.byPublicSlug(publicSlug).catch(() => undefined)
  if (named?.page.visibility === 'public') return { page: named.page, href: base }
  const match = await directory.ofHost(ctx.host).catch(() => undefined)
  return match?.page.visibility === 'public' ? { page: match.page, href: '/' } : undefined
}

/** A permanent redirect that browsers revalidate, because another page may take the slug. */
export function redirect(ctx: Context, location: string): void {
  ctx.status = 308
  ctx.set('Location', location)
  ctx.set('Cache-Control', 'no-cache')
}
