import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { authorize } from '../domain/kernel/authorize.ts'
import type { PageRef } from '../domain/kernel/context.ts'
import { noSuchPage } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { getHome, type PageView } from '../domain/pages/views/home.ts'
import { canonicalLocale } from '../domain/settings/rules.ts'
import { settleLanguage } from '../web/languages.ts'
import { type Found, foundByHost, foundBySlug, isHidden, redirect } from '../web/page-lookup.ts'
import type { PublicReads } from '../web/public-reads.ts'
import { serveSnapshot } from '../web/snapshots.ts'
import type { ApiState } from '../web/state.ts'
import { answerErrorsToPeople } from './errors.ts'
import { headersOf } from './headers.ts'
import { renderPage } from './html.ts'
import { styleOf } from './style.ts'
import { answerSubscribing, onlyPosts } from './subscriptions/routes.ts'

type PageContext = Context & { state: ApiState; params: Record<string, string> }
interface Deps {
  services: Services
  directory: Directory
  reads: PublicReads
  limit: Middleware
  /** Counts the forms that subscribe an address. */
  limitSubscribing: Middleware
  identify: Middleware<ApiState>
}

type Find = (ctx: PageContext) => Promise<Found | undefined>

/** The public pages: `/` shows the page of the host, `/status/{public_slug}` shows a page on any host. */
export function servePages(router: Router<ApiState>, deps: Deps): void {
  const { directory, identify, limit, limitSubscribing, services } = deps
  const serve = (path: string, name: string, find: Find) => {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = name
      return next()
    }
    const show = (ctx: PageContext) => showPage(deps, ctx, find)
    const guards = [answerErrorsToPeople(directory.ofHost), limit, identify]
    router.register(path, ['GET', 'HEAD'], [note, ...guards, show] as never)
    const below = `${path.replace(/\/$/, '')}/subscribe`
    const noteBelow: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = `${name.replace(/\/$/, '')}/subscribe`
      return next()
    }
    const askToSubscribe = async (ctx: PageContext) => {
      const page = await pageFor(ctx, find)
      if (page) await answerSubscribing(services, ctx, page)
    }
    router.register(below, ['GET', 'HEAD', 'POST'], [
      ...[noteBelow, ...guards, onlyPosts(limitSubscribing), askToSubscribe],
    ] as never)
  }
  serve('/', '/', async (ctx) => {
    const match = await directory.ofHost(ctx.host, ctx.state.caller?.pageId)
    return match && foundByHost(ctx, match, services)
  })
  serve('/status/:public_slug', '/status/{public_slug}', async (ctx) => {
    const match = await directory.byPublicSlug(ctx.params.public_slug ?? '')
    return match && foundBySlug(ctx, match, SLUG_INDEX)
  })
}

const SLUG_INDEX = '/status/{public_slug}'.split('/').indexOf('{public_slug}')

/** The page, unless the answer is a redirect to its present address. */
async function pageFor(ctx: PageContext, find: Find): Promise<PageRef | undefined> {
  const found = await withDatabase(() => find(ctx))
  if (!found || isHidden(ctx, found.page)) throw noSuchPage()
  if (found.movedTo === undefined) return found.page
  redirect(ctx, found.movedTo)
  return undefined
}

async function showPage(deps: Deps, ctx: PageContext, find: Find): Promise<void> {
  const { services, reads } = deps
  const page = await pageFor(ctx, find)
  if (!page) return
  const { requestId, caller } = ctx.state
  const { actor } = caller!
  authorize(getHome, { actor, page })
  const { locale, headers, since } = await settleLanguage(deps, ctx, page, askedLanguage(ctx))
  // The page depends only on the language, so there is one snapshot per language.
  ctx.query = locale === undefined ? {} : { locale }
  const make = async () => {
    const { output } = await execute(services, getHome, { page, actor, requestId, input: { locale } })
    const view = output as PageView
    return { body: renderPage(view), headers: { ...headersOf(styleOf(view.status_types)), ...headers } }
  }
  await serveSnapshot(ctx, reads, page, make, since)
}

/** The `locale` of the query; an invalid tag is ignored, because people follow links of others. */
function askedLanguage({ query }: Context): string | undefined {
  return typeof query.locale === 'string' ? canonicalLocale(query.locale) : undefined
}
