import type { Context } from 'koa'
import { noSuchPage, Problem } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { linkProblem } from '../domain/subscribers/link-problems.ts'
import { answerAgain, answerToReader, wantsPage } from '../page/subscriptions/for-people.ts'
import type { PublicReads } from '../web/public-reads.ts'
import type { ApiState } from '../web/state.ts'
import { runRoute } from './handler.ts'
import type { Route } from './routes/route.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  directory: Directory
  reads: PublicReads
}

/** A link names its page, so that it works on any host. */
export async function answerLink(deps: Deps, route: Route, ctx: RequestContext): Promise<void> {
  const { directory, services } = deps
  const page = await withDatabase(() => directory.byId(ctx.state.caller!.pageId!))
  if (!page) throw linkProblem('page_deleted')
  const { publicSlug } = ctx.state
  const named = publicSlug === undefined ? { page } : await withDatabase(() => directory.byPublicSlug(publicSlug))
  if (named?.page.id !== page.id) throw noSuchPage()
  try {
    const { output } = await runRoute(services, route, ctx, page)
    await answerToReader(deps, ctx, page, route.people!, output)
  } catch (error) {
    const { again } = route.people!
    const { form: fields, caller, requestId } = ctx.state
    const isMistake = error instanceof Problem && error.code === 'invalid_request'
    if (!isMistake || !again || !fields || !wantsPage(ctx)) throw error
    const { output } = await execute(services, again.operation, { page, actor: caller!.actor, requestId, input: {} })
    await answerAgain(deps, ctx, page, again, output, { fields, problem: error })
  }
}
