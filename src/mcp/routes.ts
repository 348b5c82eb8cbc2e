import type Router from '@koa/router'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Context, Middleware } from 'koa'
import type { ToolContext } from '../domain/agent/tools/tool.ts'
import { noSuchPage, Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { requireToken } from '../web/authenticate.ts'
import type { ApiState } from '../web/state.ts'
import type { Endpoint } from './endpoint.ts'
import { isOwnOrigin } from './own-origin.ts'

interface Deps {
  services: Services
  directory: Directory
  patience: ToolContext['patience']
  identify: Middleware<ApiState>
  limit: Middleware<ApiState>
}

type RequestContext = Context & { state: ApiState }

const PATH = '/mcp'

/** MCP at one address on every host: the page is the page of the token. */
export function serveMcp(router: Router<ApiState>, { services, directory, patience, identify, limit }: Deps): void {
  let endpoint: Promise<Endpoint> | undefined

  /** Loaded with the first request: it takes 5 MB. */
  async function open(): Promise<Endpoint> {
    const [{ openEndpoint }, { createServer }] = await Promise.all([import('./endpoint.ts'), import('./server.ts')])
    return openEndpoint(({ authInfo }) => createServer(authInfo!.extra!.tools as ToolContext), services)
  }

  async function answer(ctx: RequestContext): Promise<void> {
    requireToken(ctx)
    const { actor, pageId } = ctx.state.caller!
    const page = pageId === undefined ? undefined : await withDatabase(() => directory.byId(pageId))
    if (!page) throw noSuchPage()
    requireOwnOrigin(ctx, page)
    const tools: ToolContext = { services, page, actor, requestId: ctx.state.requestId, patience }
    endpoint ??= open()
    await (await endpoint).answer(ctx, authOf(ctx, tools))
  }

  /** A web page of another site, which a browser names as the origin, may not use the token of its visitor. */
  function requireOwnOrigin(ctx: RequestContext, page: ToolContext['page']): void {
    const origin = ctx.get('Origin')
    if (origin === '' || isOwnOrigin(origin, services, page)) return
    throw new Problem('forbidden', `Requests of web pages of ${origin} are refused.`)
  }

  const note = (ctx: Context, next: () => Promise<unknown>) => {
    ctx.state.route = PATH
    return next()
  }
  router.all(PATH, note, identify, limit, answer as never)
}

/** What the SDK passes through to the server of the request; the token is not needed behind this point. */
const authOf = ({ state }: RequestContext, tools: ToolContext): AuthInfo => ({
  token: '',
  clientId: state.caller!.actor.name,
  scopes: [],
  extra: { tools },
})
