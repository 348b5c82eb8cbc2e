import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { authorize } from '../domain/kernel/authorize.ts'
import type { PageRef } from '../domain/kernel/context.ts'
import { noSuchPage } from '../domain/kernel/errors.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { AnyOperation } from '../domain/kernel/operation.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { pageUrl } from '../domain/pages/rules.ts'
import { admitReader } from './access/admit-reader.ts'
import type { FeedName, FeedReaders } from './feed-readers.ts'
import { requireId } from './ids.ts'
import { isLocalized, localeIn, settleLanguage } from './languages.ts'
import { findPageOfReader, redirect } from './page-lookup.ts'
import type { PublicReads } from './public-reads.ts'
import { serveSnapshot } from './snapshots.ts'
import type { ApiState } from './state.ts'
import { InnerRequest } from './warming/inner-requests.ts'

type Parameters = Record<string, string>

type RequestContext = Context & { state: ApiState; params: Parameters }

/** Where an answer is read. */
export interface ReadPlace {
  /** Empty, or `/status/{public_slug}`. */
  base: string
  /** The path below the base. */
  path: string
  /** The absolute address of the page, without a slash at the end. */
  url: string
  /** The host of this address. */
  host: string
}

export interface Rendered {
  body: string
  type: string
  headers?: Record<string, string>
  /** The body without the time of its computation. */
  compared?: string
}

/** An address that readers other than people read: the operation that reads its data, and the rendering. */
export interface ReadAddress {
  /** As in `/items/:id/feed.rss`. */
  path: string
  operation: AnyOperation
  /** The parameters of the query that change the answer. All others are ignored. */
  parameters?: (query: Context['query']) => Parameters
  /** The fields of the input of the operation, from these parameters and from the values in the path. */
  input?: (parameters: Parameters, values: Parameters) => Record<string, unknown>
  /** Refuses readers of the page that this address is not for. */
  admit?: (deps: ReadDeps, ctx: RequestContext, page: PageRef) => Promise<void>
  render: (output: never, place: ReadPlace, parameters: Parameters) => Rendered
  /** The feed whose readers are counted here, by the values in the path. */
  feed?: (values: Parameters) => FeedName
  /** The answer instead of an error; undefined for an error that readers get. */
  fallback?: (error: unknown, parameters: Parameters) => Rendered | undefined
}

export interface ReadDeps {
  services: Services
  directory: Directory
  reads: PublicReads
  limit: Middleware
  identify: Middleware<ApiState>
  feedReaders: FeedReaders
}

/** Serves addresses from the snapshots of the page. */
export function serveReads(router: Router<ApiState>, addresses: ReadAddress[], deps: ReadDeps): void {
  for (const address of addresses) {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = address.path.replace(/:(\w+)/g, '{$1}')
      return next()
    }
    const answer = async (ctx: RequestContext) => {
      const asked = address.parameters?.(ctx.query) ?? {}
      try {
        if (address.fallback) await deps.limit(ctx, async () => {})
        await answerRead(deps, address, ctx, asked)
      } catch (error) {
        const instead = address.fallback?.(error, asked)
        if (!instead) throw error
        send(ctx, instead)
      }
    }
    router.register(address.path, ['GET', 'HEAD'], [
      note,
      ...(address.fallback ? [] : [deps.limit]),
      deps.identify,
      answer,
    ] as never)
  }
}

async function answerRead(deps: ReadDeps, address: ReadAddress, ctx: RequestContext, asked: Parameters): Promise<void> {
  const { services, directory } = deps
  const found = await withDatabase(() => findPageOfReader({ directory, services }, ctx))
  if (!found) throw noSuchPage()
  admitReader(ctx, found.page, services, 'data')
  if (found.movedTo !== undefined) return redirect(ctx, found.movedTo)
  await address.admit?.(deps, ctx, found.page)
  await answerFromSnapshot(deps, { address, page: found.page, asked }, ctx)
  if (address.feed && ctx.method === 'GET' && !(ctx.req instanceof InnerRequest)) {
    ctx.state.readers = deps.feedReaders.of(found.page.id, address.feed(ctx.params))
    ctx.state.readers.add(ctx.ip, ctx.get('User-Agent'))
  }
}

interface Read {
  address: ReadAddress
  page: PageRef
  asked: Parameters
}

async function answerFromSnapshot(deps: ReadDeps, { address, page, asked }: Read, ctx: RequestContext): Promise<void> {
  const { services } = deps
  const { operation, input, render } = address
  const { requestId, caller, base } = ctx.state
  const { actor } = caller!
  authorize(operation, { actor, page })
  const ref = operation.subject ? { id: requireId(ctx.params, operation.subject.kind) } : undefined
  const language = isLocalized(operation) ? await settleLanguage(deps, ctx, page, localeIn(ctx)) : undefined
  const locale = language?.locale
  ctx.query = locale === undefined ? asked : { ...asked, locale }
  const url = pageUrl(page, services)
  const place = { base, path: ctx.path, url, host: new URL(url).host }
  const make = async () => {
    const fields = { ...(input ? input(asked, ctx.params) : {}), ...(locale !== undefined && { locale }) }
    const { output, revision } = await execute(services, operation, { page, actor, requestId, ref, input: fields })
    const { body, type, headers, compared = body } = render(output as never, place, asked)
    return { body, compared, headers: { 'Content-Type': type, ...headers, ...language?.headers }, revision }
  }
  await serveSnapshot(ctx, deps.reads, page, make, language?.since)
}

function send(ctx: Context, { body, type, headers = {} }: Rendered): void {
  ctx.status = 200
  ctx.set({ 'Cache-Control': 'no-cache', ...headers, 'Content-Type': type })
  ctx.body = body
}
