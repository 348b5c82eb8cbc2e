import type { Context } from 'koa'
import { authorize } from '../domain/kernel/authorize.ts'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Services } from '../domain/kernel/services.ts'
import { readsView, viewNeedsCode } from '../web/access/view-access.ts'
import { askedLanguage, isLocalized, type Settled, settleLanguage } from '../web/languages.ts'
import type { Made, PublicReads } from '../web/public-reads.ts'
import { serveSnapshot } from '../web/snapshots.ts'
import type { ApiState } from '../web/state.ts'
import { linksOf, runRoute } from './handler.ts'
import type { Route } from './routes/route.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  reads: PublicReads
}

/** Answers a public read from the snapshot of the page. */
export async function answerPublicRead(deps: Deps, route: Route, ctx: RequestContext, page: PageRef): Promise<void> {
  authorize(route.operation, { actor: ctx.state.caller!.actor, page })
  const shown = route.ofView ? await routeForReader(deps, route, ctx, page) : route
  const language = isLocalized(route.operation) ? await chooseLanguage(deps, ctx, page) : undefined
  const make = async () => {
    const { output, revision } = await runRoute(deps.services, shown, ctx, page)
    const type = { 'Content-Type': 'application/json; charset=utf-8' }
    const headers = { ...type, ...language?.headers, ...linksOf(ctx, output) }
    return { body: JSON.stringify(output), headers, revision, ...comparedOf(output) }
  }
  await serveSnapshot(ctx, deps.reads, page, make, language?.since)
  keepAccess(ctx)
}

/** Who may not read the view gets the answer for others, if the route has one. */
async function routeForReader(deps: Deps, route: Route, ctx: RequestContext, page: PageRef): Promise<Route> {
  const isReader = await readsView(deps, ctx, page, ctx.params.view_code ?? '')
  if (isReader) return route
  const { outside } = route.ofView!
  if (!outside) throw viewNeedsCode()
  return { ...route, operation: outside }
}

/** The next page of a list needs the same access link as this page, which the snapshot for all readers does not have. */
function keepAccess({ state, response }: RequestContext): void {
  const link = response.get('Link')
  if (!link || state.accessToken === undefined) return
  response.set('Link', link.replace(/>(?=; rel="next"$)/, `&access=${encodeURIComponent(state.accessToken)}>`))
}

/** An answer with the time of its computation stays the same, with its ETag, until something else in it changes. */
function comparedOf(output: unknown): Pick<Made, 'compared'> {
  if (output === null || typeof output !== 'object' || !('generated_at' in output)) return {}
  return { compared: JSON.stringify({ ...output, generated_at: undefined }) }
}

/** Puts the negotiated language into the query, so that links of a list keep the language. */
async function chooseLanguage(deps: Deps, ctx: RequestContext, page: PageRef): Promise<Settled> {
  const settled = await settleLanguage(deps, ctx, page, askedLanguage(ctx))
  const { locale: _asked, ...query } = ctx.query
  ctx.query = settled.locale === undefined ? query : { ...query, locale: settled.locale }
  return settled
}
