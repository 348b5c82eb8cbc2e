import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import { calendarAddresses } from '../calendar/addresses.ts'
import { openAcceptor } from '../domain/ingest/acceptance/acceptor.ts'
import { Problem } from '../domain/kernel/errors.ts'
import { embedAddresses } from '../embeds/embed-addresses.ts'
import { feedAddresses } from '../feeds/feed-addresses.ts'
import { serveMcp } from '../mcp/routes.ts'
import { answerErrorsToReaders, answerNothingHere } from '../page/errors.ts'
import { servePages } from '../page/routes.ts'
import { statuspageAddresses } from '../statuspage/addresses.ts'
import { keepProof } from '../web/access/view-access.ts'
import { openKnownAnswers } from '../web/answers/known-answers.ts'
import { authenticate, authenticateReader, requireToken } from '../web/authenticate.ts'
import { boundQueries } from '../web/bounded-query.ts'
import { answerErrors } from '../web/errors.ts'
import { atEvenTimes } from '../web/even-times.ts'
import { isAdminPath, setCommonHeaders } from '../web/headers.ts'
import { authenticateLink } from '../web/links.ts'
import { redirect } from '../web/page-lookup.ts'
import { onlyWithoutSlug, readPagePath } from '../web/page-path.ts'
import { limitPasswords, limitRates } from '../web/rate-limits.ts'
import { serveReads } from '../web/read-addresses.ts'
import { nameRequests } from '../web/requests.ts'
import type { ApiState } from '../web/state.ts'
import { answerLink } from './answer-link.ts'
import type { ApiDeps } from './deps.ts'
import { serveDocuments } from './documents.ts'
import { answer, runRoute } from './handler.ts'
import { serveHealth } from './health.ts'
import { serveHeartbeats } from './heartbeats.ts'
import { serveIngest } from './ingest.ts'
import { pageOf } from './page-of-request.ts'
import { pathsOf } from './paths.ts'
import { answerPublicRead } from './public-read.ts'
import { routes } from './routes/index.ts'
import type { Route } from './routes/route.ts'
import { serveStream } from './stream.ts'
import { answerText } from './text-answer.ts'
import { addInspection, waitFor } from './waiting.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

/** The HTTP application of the service. */
export function createApp(deps: ApiDeps): { callback(): RequestListener } {
  const { services, metrics, rateLimits } = deps
  const app = new Koa<ApiState>({ proxy: deps.trustProxy })
  // Errors of connections, as when a caller disconnects, are logged like all other errors.
  app.on('error', (error) => services.logger.info({ err: error }, 'a connection broke off'))
  const limits = {
    public: limitRates(rateLimits, 'public'),
    admin: limitRates(rateLimits, 'admin'),
    subscribe: limitRates(rateLimits, 'subscribe'),
    magic_link: limitRates(rateLimits, 'magic_link'),
  }
  const answers = openKnownAnswers({ ...deps, limit: limits.public, logger: services.logger })
  app.use(answers.remember)
  app.use(nameRequests(services.logger, metrics))
  app.use(readPagePath())
  app.use(setCommonHeaders())
  app.use(answerErrors())
  app.use(boundQueries(limits.public))
  const router = new Router<ApiState>({ sensitive: true })
  /** The routes that also exist below `/status/{public_slug}`. */
  const readers = new Router<ApiState>({ sensitive: true })
  serveHealth(router, deps.health)
  serveDocuments(router, { baseUrl: services.baseUrl, limit: limits.public })
  serveHeartbeats(router, deps)
  serveIngest(router, { ...deps, acceptor: openAcceptor(services) })
  const identify = authenticate(services, limits.admin)
  const identifyReader = authenticateReader(services)
  serveStream(readers, { ...deps, limit: limits.public, identify: identifyReader })
  const guardsOf = ({ door, tier, operation }: Route) => {
    // A public read is counted by its address, before its credential costs a look-up.
    if (door === 'public') return [limits[tier ?? 'public'], identifyReader]
    if (door === 'link')
      return [answerErrorsToReaders(deps), limits.public, authenticateLink(services, operation.link!)]
    return [identify, limits.admin]
  }
  for (const [path, here] of byPath(routes)) {
    const note = (ctx: Context, next: () => Promise<unknown>) => {
      ctx.state.route = path
      return next()
    }
    const at = here.every(isForReaders) ? readers : router
    for (const route of here) {
      at.register(koaPath(path), methodsOf(route), [note, ...guardsOf(route), handlerOf(deps, route)] as never)
    }
    // Otherwise the fixed part of this path would match a parameter of another path.
    at.all(koaPath(path), limits.public, (ctx) => refuseMethod(ctx, here.flatMap(methodsOf)))
  }
  serveMcp(router, { ...deps, identify, limit: limits.admin })
  serveReads(readers, [...embedAddresses, ...feedAddresses, ...calendarAddresses, ...statuspageAddresses], {
    ...deps,
    limit: limits.public,
    identify: identifyReader,
  })
  servePages(readers, {
    ...deps,
    limit: limits.public,
    limitSubscribing: limits.subscribe,
    limitPasswords: limitPasswords(rateLimits),
    limitLinks: limits.magic_link,
    identify: identifyReader,
  })
  app.use(allowReaders(limits.public))
  app.use(readers.routes())
  app.use(onlyWithoutSlug(router.routes() as Koa.Middleware<ApiState>))
  app.use(refuse({ router, readers }, limits.public, deps))
  return { callback: () => answers.before(app.callback()) }
}

const isForReaders = ({ door }: Route) => door === 'public' || door === 'link'
const koaPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')
const methodsOf = ({ method }: Route) => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The routes at each path; a fixed part takes precedence over a parameter at the same position. */
function byPath(list: Route[]): [string, Route[]][] {
  const here = Map.groupBy(
    list.flatMap((route) => pathsOf(route).map((path) => ({ path, route }))),
    ({ path }) => path,
  )
  const parameters = (path: string) => path.replace(/\{\w+\}/g, '￿')
  return [...here]
    .sort(([a], [b]) => (parameters(a) < parameters(b) ? -1 : 1))
    .map(([path, found]) => [path, found.map(({ route }) => route)])
}

function handlerOf(deps: ApiDeps, route: Route) {
  return async (ctx: RequestContext) => {
    if (route.door === 'link') return answerLink(deps, route, ctx)
    if (route.door !== 'public') requireToken(ctx)
    const { page, movedTo } = await pageOf(deps, route.door, ctx)
    if (movedTo !== undefined) return redirect(ctx, movedTo)
    if (route.door === 'public' && route.method === 'GET') return answerPublicRead(deps, route, ctx, page)
    const run = () => runRoute(deps.services, route, ctx, page)
    if (route.answers) return answerText(ctx, route.answers, run)
    const outcome = await (route.tier ? atEvenTimes(run) : run())
    answer(ctx, route, route.proves ? keepProof(deps.services, ctx, outcome) : outcome)
    if (route.waits) await waitFor[route.waits](deps, ctx, page, outcome)
    if (route.inspects) await addInspection(deps, ctx, outcome)
  }
}

/** Allows every web page to read public answers. */
function allowReaders(limit: Koa.Middleware<ApiState>): Koa.Middleware<ApiState> {
  return async (ctx, next) => {
    const admin = isAdminPath(ctx.path)
    if (!admin) {
      ctx.set('Access-Control-Allow-Origin', '*')
      ctx.set('Access-Control-Expose-Headers', 'ETag, Link, Retry-After, X-Page-Revision, X-Request-Id, X-Snapshot-At')
    }
    if (ctx.method === 'OPTIONS' && !admin && ctx.get('Access-Control-Request-Method') !== '') {
      await limit(ctx, async () => {})
      ctx.set('Access-Control-Allow-Methods', 'GET, HEAD')
      ctx.set('Access-Control-Allow-Headers', '*')
      ctx.set('Access-Control-Max-Age', '86400')
      ctx.status = 204
      return
    }
    await next()
  }
}

/** Answers requests without a route: 405 if another method has a route, else 404. */
function refuse(
  { router, readers }: Record<'router' | 'readers', Router<ApiState>>,
  limit: Koa.Middleware<ApiState>,
  deps: ApiDeps,
): Koa.Middleware<ApiState> {
  const answerNothing = answerNothingHere(deps)
  return async (ctx, next) => {
    await next()
    if (ctx.status !== 404 || ctx.body instanceof Readable || ctx.body !== undefined) return
    await limit(ctx, async () => {})
    const here = ctx.state.publicSlug === undefined ? [router, readers] : [readers]
    const matches = here.flatMap((one) => one.match(ctx.path, ctx.method).path)
    const allowed = new Set(matches.flatMap((layer) => layer.methods))
    if (allowed.size > 0 && !allowed.has(ctx.method)) refuseMethod(ctx, [...allowed])
    await answerNothing(ctx, next)
  }
}

function refuseMethod(ctx: Context, allowed: string[]): never {
  ctx.set('Allow', allowed.join(', '))
  throw new Problem('method_not_allowed', `The method ${ctx.method} is not allowed at this path.`)
}
