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
import { admitReader } from '../web/access/admit-reader.ts'
import { settleLanguage } from '../web/languages.ts'
import { findPageOfReader, redirect } from '../web/page-lookup.ts'
import type { PublicReads } from '../web/public-reads.ts'
import type { LimitPasswords } from '../web/rate-limits.ts'
import { serveSnapshot } from '../web/snapshots.ts'
import type { ApiState } from '../web/state.ts'
import { answerPassword } from './access/answer-password.ts'
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
  limitPasswords: LimitPasswords
  identify: Middleware<ApiState>
}

/** The public page at its address, and the form to subscribe. */
export function servePages(router: Router<ApiState>, deps: Deps): void {
  const { identify, limit, limitSubscribing, services } = deps
  const guards = [answerErrorsToPeople(deps), limit, identify]
  const serve = (path: string, methods: string[], handlers: unknown[]) => {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = path.replace(/:(\w+)/g, '{$1}')
      return next()
    }
    router.register(path, methods, [note, ...guards, ...handlers] as never)
  }
  serve('/', ['GET', 'HEAD'], [(ctx: PageContext) => showPage(deps, ctx)])
  serve('/', ['POST'], [answerPassword(deps)])
  const askToSubscribe = async (ctx: PageContext) => {
    const page = await pageFor(deps, ctx)
    if (page) await answerSubscribing(services, ctx, page)
  }
  serve('/subscribe', ['GET', 'HEAD', 'POST'], [onlyPosts(limitSubscribing), askToSubscribe])
}

/** The page, unless the answer is a redirect to its present address. */
async function pageFor(deps: Deps, ctx: PageContext): Promise<PageRef | undefined> {
  const found = await withDatabase(() => findPageOfReader(deps, ctx))
  if (!found) throw noSuchPage()
  admitReader(ctx, found.page, deps.services, 'document')
  if (found.movedTo === undefined) return found.page
  redirect(ctx, found.movedTo)
  return undefined
}

async function showPage(deps: Deps, ctx: PageContext): Promise<void> {
  const { services, reads } = deps
  const page = await pageFor(deps, ctx)
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
