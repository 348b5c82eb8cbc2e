import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { authorize } from '../domain/kernel/authorize.ts'
import type { PageRef } from '../domain/kernel/context.ts'
import { Problem } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { Services } from '../domain/kernel/services.ts'
import { previewedCss } from '../domain/pages/css-preview.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { pageUrl } from '../domain/pages/rules.ts'
import { getHome, type PageView } from '../domain/pages/views/home.ts'
import type { SiteView } from '../domain/pages/views/site.ts'
import { requireId } from '../web/ids.ts'
import { localeIn, settleLanguage } from '../web/languages.ts'
import type { Made, PublicReads } from '../web/public-reads.ts'
import type { LimitPasswords } from '../web/rate-limits.ts'
import { serveSnapshot } from '../web/snapshots.ts'
import type { ApiState } from '../web/state.ts'
import { answerPassword } from './access/answer-password.ts'
import { scripts, scriptsVersion } from './browser/scripts.ts'
import { answerErrorsToPeople } from './errors.ts'
import { madeDocument } from './made-document.ts'
import { pageFor } from './page-of-document.ts'
import { pngOf } from './preview/png.ts'
import { previewOf } from './preview/state-picture.ts'
import { PREVIEW_PATH } from './site/link-preview.ts'
import { type SitePage, sitePages } from './site-pages.ts'
import { answerSubscribing, onlyPosts } from './subscriptions/routes.ts'
import { serveViewPages } from './views/routes.ts'

type PageContext = Context & { state: ApiState; params: Record<string, string> }
interface Deps {
  services: Services
  directory: Directory
  reads: PublicReads
  limit: Middleware
  /** Counts the forms that subscribe an address. */
  limitSubscribing: Middleware
  limitPasswords: LimitPasswords
  /** Counts attempts to prove an address. */
  limitLinks: Middleware
  identify: Middleware<ApiState>
}

/** The public page at its address, and the form to subscribe. */
export function servePages(router: Router<ApiState>, deps: Deps): void {
  const { identify, limit, limitSubscribing } = deps
  const guards = [answerErrorsToPeople(deps), limit, identify]
  const serve = (path: string, methods: string[], handlers: unknown[]) => {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = path.replace(/:(\w+)/g, '{$1}')
      return next()
    }
    router.register(path, methods, [note, ...guards, ...handlers] as never)
  }
  for (const one of sitePages) serve(one.path, ['GET', 'HEAD'], [(ctx: PageContext) => showPage(deps, one, ctx)])
  serve('/', ['POST'], [answerPassword(deps)])
  serve(PREVIEW_PATH, ['GET', 'HEAD'], [(ctx: PageContext) => showPreview(deps, ctx)])
  serveScripts(router, limit)
  serveViewPages(serve, deps, { asking: limitSubscribing, proving: deps.limitLinks })
  const askToSubscribe = async (ctx: PageContext) => {
    const page = await pageFor(deps, ctx)
    if (page) await answerSubscribing(deps, ctx, page)
  }
  serve('/subscribe', ['GET', 'HEAD', 'POST'], [onlyPosts(limitSubscribing), askToSubscribe])
}

async function showPage(deps: Deps, shown: SitePage, ctx: PageContext): Promise<void> {
  const { services, reads } = deps
  const { operation, parameters, input, render } = shown
  const page = await pageFor(deps, ctx)
  if (!page) return
  const { requestId, caller, base } = ctx.state
  const { actor } = caller!
  authorize(operation, { actor, page })
  const ref = operation.subject ? { id: requireId(ctx.params, operation.subject.kind) } : undefined
  const { locale, headers, since } = await settleLanguage(deps, ctx, page, localeIn(ctx))
  const asked = parameters?.(ctx.query) ?? {}
  const previewed = await previewIn(services, page, ctx.query.css_preview)
  // The page depends only on the language and its own parameters, so there is one snapshot for each of them.
  ctx.query = locale === undefined ? asked : { ...asked, locale }
  const url = pageUrl(page, services)
  const make = async () => {
    const inputs = { ...(input ? input(asked) : asked), locale }
    const { output, revision } = await execute(services, operation, { page, actor, requestId, ref, input: inputs })
    const { css, ...place } = previewed ?? {}
    const site = css === undefined ? (output as SiteView) : withCss(output as SiteView, css)
    const body = render(site as never, { base, path: ctx.path, query: asked, url, revision, ...place }, asked)
    return madeDocument({ body, site, headers, revision, showsItself: shown.showsItself })
  }
  if (previewed === undefined) await serveSnapshot(ctx, reads, page, make, since)
  else await answerPreview(ctx, make)
}

/** The picture of the state, for previews of links. */
async function showPreview(deps: Deps, ctx: PageContext): Promise<void> {
  const { services, reads } = deps
  const page = await pageFor(deps, ctx)
  if (!page) return
  const { requestId, caller } = ctx.state
  const { actor } = caller!
  ctx.query = {}
  const make = async () => {
    const { output, revision } = await execute(services, getHome, { page, actor, requestId, input: {} })
    const body = await pngOf(previewOf(output as PageView))
    return { body, compared: body.toString('latin1'), headers: { 'Content-Type': 'image/png' }, revision }
  }
  await serveSnapshot(ctx, reads, page, make)
}

/** The CSS of a preview, or that a token has none; undefined for an address without a token. */
async function previewIn(services: Services, page: PageRef, token: Context['query'][string]) {
  if (token === undefined || token === '') return undefined
  const css = await previewedCss(services, page, token)
  return css === undefined ? ({ preview: 'ended' } as const) : ({ css, preview: 'shown' } as const)
}

const withCss = (site: SiteView, custom_css: string): SiteView => ({
  ...site,
  settings: { ...site.settings, custom_css },
})

/** A page with the CSS or the line of a preview is stored nowhere. */
async function answerPreview(ctx: Context, make: () => Promise<Made>): Promise<void> {
  const { body, headers } = await make()
  ctx.set({ ...headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
  ctx.status = 200
  ctx.body = body
}

const FOREVER = 'public, max-age=31536000, immutable'

/** The scripts of the page; an address of an earlier version answers with the current script. */
function serveScripts(router: Router<ApiState>, limit: Middleware): void {
  router.register('/assets/:version/:name', ['GET', 'HEAD'], [
    limit,
    (ctx: PageContext) => {
      ctx.state.route = '/assets/{version}/{name}'
      const script = scripts().get((ctx.params.name ?? '').replace(/\.js$/, ''))
      if (script === undefined) throw new Problem('not_found', 'This address does not exist.')
      ctx.set('Content-Type', 'text/javascript; charset=utf-8')
      ctx.set('Cache-Control', ctx.params.version === scriptsVersion() ? FOREVER : 'no-cache')
      ctx.body = script
    },
  ] as never)
}
