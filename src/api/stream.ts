import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { Actor } from '../domain/kernel/context.ts'
import { invalid, Problem } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { Services } from '../domain/kernel/services.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { getPageContents } from '../domain/pages/views/contents.ts'
import { networkOf } from '../outbound/address-rules.ts'
import { admissionFor, givenBy, type Readable } from '../web/access/admission.ts'
import { redirect } from '../web/page-lookup.ts'
import type { ApiState } from '../web/state.ts'
import { readVersion } from '../web/streams/events-rules.ts'
import type { ChangeStreams, Contents } from '../web/streams/streams.ts'
import { pageOf } from './page-of-request.ts'
import { SLUG_PREFIX } from './paths.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  directory: Directory
  streams: ChangeStreams
  limit: Middleware<ApiState>
  identify: Middleware<ApiState>
}

const PATH = `${SLUG_PREFIX}/stream`

/** The stream of the changes of a page. A stream reads nothing itself, so it is no operation. */
export function serveStream(router: Router<ApiState>, deps: Deps): void {
  const note: Middleware<ApiState> = (ctx, next) => {
    ctx.state.route = PATH
    return next()
  }
  const guards = [note, deps.limit, deps.identify]
  const path = PATH.replace('{page_slug}', ':page_slug')
  router.register(path, ['GET', 'HEAD'], [...guards, (ctx: RequestContext) => open(deps, ctx)] as never)
}

async function open(deps: Deps, ctx: RequestContext): Promise<void> {
  const { services, streams } = deps
  const given = givenBy(ctx)
  const { page, movedTo } = await pageOf(deps, 'public', ctx)
  const { version, revision, ...others } = ctx.query
  const unknown = Object.keys(others)
  if (unknown.length > 0) throw invalid(unknown.map((path) => ({ path, message: 'is not a parameter of a stream' })))
  if (movedTo !== undefined) return redirect(ctx, movedTo)
  const mayRead = (now: Readable) => admissionFor(given, now, services).admission === 'read'
  ctx.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  if (ctx.method === 'HEAD') {
    ctx.status = 200
    return
  }
  const { requestId } = ctx.state
  const readContents = async (): Promise<Contents> => {
    const { output, ...read } = await execute(services, getPageContents, { page, actor: reader, requestId, input: {} })
    return { ...(output as Omit<Contents, 'revision'>), revision: read.revision }
  }
  const seen = ctx.get('Last-Event-ID') || (typeof version === 'string' ? version : '')
  const shown = typeof revision === 'string' ? { shown: revision } : {}
  const request = {
    pageId: page.id,
    address: networkOf(ctx.ip),
    mayRead,
    known: readVersion(seen),
    ...shown,
    readContents,
  }
  ctx.status = 200
  try {
    streams.open(request, ctx.res)
  } catch (error) {
    ctx.remove('Content-Type')
    if (error instanceof Problem && error.code === 'rate_limited') ctx.set('Retry-After', RETRY_AFTER_SECONDS)
    throw error
  }
  // Koa answers nothing more: the stream goes on without its middleware.
  ctx.respond = false
}

const RETRY_AFTER_SECONDS = '5'

/** The service itself reads the version, for all streams of a page. */
const reader: Actor = { kind: 'system', name: 'streams', permission: 'read', role_key: 'page_viewer' }
