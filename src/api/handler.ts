import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import { invalid, notFound } from '../domain/kernel/errors.ts'
import { execute, type Outcome } from '../domain/kernel/execute.ts'
import type { SubjectRef } from '../domain/kernel/operation.ts'
import { MAX_ID } from '../domain/kernel/schema.ts'
import type { Services } from '../domain/kernel/services.ts'
import { checkText, readJsonObject } from './body.ts'
import type { Route } from './routes/route.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

/** Runs the operation of a route with what the request says, on the page that it is about. */
export async function runRoute(services: Services, route: Route, ctx: RequestContext, page: PageRef): Promise<Outcome> {
  const { actor } = ctx.state.caller!
  const { operation } = route
  checkText(ctx.params, '', 0)
  const { org_id, page_id, page_slug, id, external_id, ...named } = ctx.params
  const ref =
    operation.subject && !operation.subject.singleton ? subjectRef(operation.subject.kind, id, external_id) : undefined
  const input = { ...(await said(ctx, route, Object.keys(named))), ...named }
  return execute(services, operation, {
    page,
    actor,
    requestId: ctx.state.requestId,
    input,
    ref,
    idempotencyKey: idempotencyKey(ctx, route),
    silent: route.waits,
  })
}

/** Reads take their input from the query, writes from the body, so that nothing is said twice. */
async function said(ctx: RequestContext, route: Route, named: string[]): Promise<Record<string, unknown>> {
  const query = { ...ctx.query }
  checkText(query, '', 0)
  const inQuery = route.method === 'GET' || route.method === 'DELETE'
  const unexpected = Object.keys(query).filter((name) => !inQuery || named.includes(name))
  if (unexpected.length > 0) {
    throw invalid(unexpected.map((path) => ({ path, message: 'is not a query parameter of this request' })))
  }
  if (inQuery) return query
  const body = await readJsonObject(ctx)
  const twice = named.filter((name) => name in body)
  if (twice.length > 0) throw invalid(twice.map((path) => ({ path, message: 'stands in the path already' })))
  return body
}

function subjectRef(kind: string, id: string | undefined, externalId: string | undefined): SubjectRef {
  if (externalId !== undefined) return { external_id: externalId }
  if (id === undefined || !/^[1-9]\d{0,9}$/.test(id) || Number(id) > MAX_ID) throw notFound(kind)
  return { id: Number(id) }
}

function idempotencyKey(ctx: RequestContext, route: Route): string | undefined {
  const key = ctx.get('Idempotency-Key')
  if (key === '' || route.method !== 'POST') return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }])
  }
  return key
}

/** Writes an outcome as an answer: the status of the route, or 200 for what was there already. */
export function answer(ctx: RequestContext, route: Route, outcome: Outcome): void {
  const created = route.status === 201 && !outcome.existing
  ctx.status = created ? 201 : 200
  ctx.body = outcome.output
  const { id } = (outcome.output ?? {}) as { id?: unknown }
  if (created && id !== undefined) ctx.set('Location', `${ctx.path.replace(/\/$/, '')}/${id}`)
  if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true')
  const { next_cursor: next } = (outcome.output ?? {}) as { next_cursor?: string }
  if (next) ctx.set('Link', `<${withCursor(ctx, next)}>; rel="next"`)
}

function withCursor(ctx: RequestContext, cursor: string): string {
  const query = new URLSearchParams(ctx.querystring)
  query.set('cursor', cursor)
  return `${ctx.path}?${query}`
}
