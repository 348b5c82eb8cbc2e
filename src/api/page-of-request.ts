import type { Context } from 'koa'
import { noSuchPage } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { admitReader } from '../web/access/admit-reader.ts'
import { idIn } from '../web/ids.ts'
import { type Found, findPageOfReader, foundBySlug } from '../web/page-lookup.ts'
import type { ApiState } from '../web/state.ts'
import { SLUG_PREFIX } from './paths.ts'
import type { Door } from './routes/route.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  directory: Directory
}

/** The page that a request is about. A page that the token does not belong to does not exist for the token. */
export async function pageOf(deps: Deps, door: Door, ctx: RequestContext): Promise<Found> {
  const found = await withDatabase(() => findPage(deps, ctx))
  if (!found) throw noSuchPage()
  if (door === 'public') admitReader(ctx, found.page, deps.services, 'data')
  else if (ctx.state.caller?.pageId !== found.page.id) throw noSuchPage()
  return found
}

const SLUG_INDEX = SLUG_PREFIX.split('/').indexOf('{page_slug}')

async function findPage({ directory, services }: Deps, ctx: RequestContext): Promise<Found | undefined> {
  const { org_id, page_id, page_slug } = ctx.params
  if (org_id !== undefined) {
    const page = await directory.byIds(idIn(org_id), idIn(page_id))
    return page && { page }
  }
  const here = await findPageOfReader({ directory, services }, ctx)
  if (page_slug === undefined) return here
  const siblings = here ? await directory.ofOrganization(here.page.organization_id) : []
  const page = siblings.find((sibling) => sibling.page_slug === page_slug)
  if (page) return { page }
  const named = await directory.byPublicSlug(page_slug)
  return (
    named && foundBySlug(ctx, named, (slug) => ctx.state.base + ctx.path.split('/').with(SLUG_INDEX, slug).join('/'))
  )
}
