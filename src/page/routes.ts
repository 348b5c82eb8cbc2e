import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { ApiDeps } from '../api/app.ts'
import { settleLanguage } from '../api/languages.ts'
import { serveSnapshot } from '../api/snapshots.ts'
import type { ApiState } from '../api/state.ts'
import { authorize } from '../domain/kernel/authorize.ts'
import type { PageRef } from '../domain/kernel/context.ts'
import { Problem } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import { getHome, type PageView } from '../domain/pages/home.ts'
import { canonicalLocale } from '../domain/settings/rules.ts'
import { answerErrorsToPeople } from './errors.ts'
import { headersOf } from './headers.ts'
import { renderPage } from './html.ts'
import { styleOf } from './style.ts'

type PageContext = Context & { state: ApiState; params: Record<string, string> }
type Deps = ApiDeps & { limit: Middleware; identify: Middleware<ApiState> }
type Find = (ctx: PageContext) => Promise<PageRef | undefined>

/** The public face: `/` shows the page of the host, `/status/{public_slug}` shows that page on any host. */
export function servePages(router: Router<ApiState>, deps: Deps): void {
  const { directory, identify, limit } = deps
  const serve = (path: string, name: string, find: Find) => {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = name
      return next()
    }
    const show = (ctx: PageContext) => showPage(deps, ctx, find)
    router.register(path, ['GET', 'HEAD'], [note, answerErrorsToPeople(), identify, limit, show] as never)
  }
  serve('/', '/', async (ctx) => {
    const page = await directory.ofHost(ctx.host)
    return page && isForeign(ctx, page) ? undefined : page
  })
  serve('/status/:public_slug', '/status/{public_slug}', async (ctx) => {
    const page = await directory.byPublicSlug(ctx.params.public_slug ?? '')
    // That a private page exists is not for those to know who guess its address.
    const hidden = page?.visibility === 'private' && ctx.state.caller?.actor.kind === 'anonymous'
    return page && (hidden || isForeign(ctx, page)) ? undefined : page
  })
}

/** A private page is there only for tokens of its own. */
function isForeign(ctx: PageContext, page: PageRef): boolean {
  const { pageId } = ctx.state.caller ?? {}
  return page.visibility === 'private' && pageId !== undefined && pageId !== page.id
}

async function showPage(deps: Deps, ctx: PageContext, find: Find): Promise<void> {
  const { services, reads } = deps
  const page = await withDatabase(() => find(ctx))
  if (!page) throw new Problem('not_found', 'There is no such page.')
  const { requestId, caller } = ctx.state
  const { actor } = caller!
  authorize(getHome, { actor, page })
  const { locale, headers, since } = await settleLanguage(deps, ctx, page, askedLanguage(ctx))
  // The page is the same whatever else the query says, so it is made and kept once in each language.
  ctx.query = locale === undefined ? {} : { locale }
  const make = async () => {
    const { output } = await execute(services, getHome, { page, actor, requestId, input: { locale } })
    const view = output as PageView
    return { body: renderPage(view), headers: { ...headersOf(styleOf(view.status_types)), ...headers } }
  }
  await serveSnapshot(ctx, reads, page, make, since)
}

/** What is no language tag is passed over: people follow links, and did not write them. */
function askedLanguage({ query }: Context): string | undefined {
  return typeof query.locale === 'string' ? canonicalLocale(query.locale) : undefined
}
