import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import { invalid, notFound } from '../domain/kernel/errors.ts'
import { execute, type Outcome } from '../domain/kernel/execute.ts'
import type { SubjectRef } from '../domain/kernel/operation.ts'
import type { Services } from '../domain/kernel/services.ts'
import { checkText, readBytes, readForm, readJsonObject, readText } from '../web/body.ts'
import { idIn } from '../web/ids.ts'
import { askedPath } from '../web/page-path.ts'
import type { ApiState } from '../web/state.ts'
import { isValue } from './paths.ts'
import type { Route } from './routes/route.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

/** Runs the operation of a route with the input of the request on the page of the request. */
export async function runRoute(services: Services, route: Route, ctx: RequestContext, page: PageRef): Promise<Outcome> {
  const { actor } = ctx.state.caller!
  const { operation } = route
  checkText(ctx.params, '', 0)
  const { id, external_id } = ctx.params
  const named = Object.fromEntries(Object.entries(ctx.params).filter(([name]) => isValue(name, operation)))
  const ref =
    operation.subject && !operation.subject.singleton ? subjectRef(operation.subject.kind, id, external_id) : undefined
  const input = { ...(await readInput(ctx, route, named)), ...named }
  return execute(services, operation, {
    page,
    actor,
    requestId: ctx.state.requestId,
    input,
    ref,
    idempotencyKey: idempotencyKey(ctx, route),
    silent: route.waits === 'process',
  })
}

/** The input: from the query for reads, from the body for writes, from both for a delete. */
async function readInput(
  ctx: RequestContext,
  route: Route,
  named: Record<string, string>,
): Promise<Record<string, unknown>> {
  const query = { ...ctx.query }
  checkText(query, '', 0)
  const inQuery = route.method === 'GET' || route.method === 'DELETE' || route.accepts !== undefined
  const unexpected = Object.keys(query).filter((name) => !inQuery || name in named)
  if (unexpected.length > 0) {
    throw invalid(unexpected.map((path) => ({ path, message: 'is not a query parameter of this request' })))
  }
  if (route.method === 'GET') {
    // Answers without a compact form are always full.
    if (query.view === 'full' && !('view' in route.operation.input.shape)) delete query.view
    return query
  }
  const body = { ...query, ...(await readBody(ctx, route)) }
  const twice = Object.keys(named).filter((name) => name in body && body[name] !== named[name])
  if (twice.length > 0) throw invalid(twice.map((path) => ({ path, message: 'does not match the value in the path' })))
  return body
}

const MAX_IGNORED_BYTES = 64 * 1024

async function readBody(ctx: RequestContext, { people, accepts }: Route): Promise<Record<string, unknown>> {
  if (accepts) return { csv: await readText(ctx, accepts) }
  if (people?.form === 'ignored') {
    await readBytes(ctx, MAX_IGNORED_BYTES)
    return {}
  }
  if (people?.form && isForm(ctx)) {
    ctx.state.form = await readForm(ctx)
    return people.form(ctx.state.form)
  }
  return readJsonObject(ctx)
}

const isForm = (ctx: RequestContext) => Boolean(ctx.is('application/x-www-form-urlencoded'))

function subjectRef(kind: string, id: string | undefined, externalId: string | undefined): SubjectRef {
  if (externalId !== undefined) return { external_id: externalId }
  const number = idIn(id)
  if (number === undefined) throw notFound(kind)
  return { id: number }
}

function idempotencyKey(ctx: RequestContext, route: Route): string | undefined {
  const key = ctx.headers['idempotency-key']
  if (key === undefined || route.method !== 'POST') return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }])
  }
  return key
}

/** Writes an outcome as an answer, with the status of the route, or 200 for an existing record. */
export function answer(ctx: RequestContext, route: Route, outcome: Outcome): void {
  const created = route.status === 201 && !outcome.existing
  ctx.status = created ? 201 : route.status === 202 ? 202 : 200
  ctx.body = outcome.output
  const { id } = (outcome.output ?? {}) as { id?: unknown }
  const here = ctx.path.replace(/\/$/, '')
  const list = route.createsSibling ? here.replace(/\/[^/]+$/, '') : here
  if (created && id !== undefined) ctx.set('Location', route.method === 'PUT' ? here : `${list}/${id}`)
  if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true')
  ctx.set(linksOf(ctx, outcome.output))
}

/** The link to the next page of a list. */
export function linksOf(ctx: Context, output: unknown): Record<string, string> {
  const { next_cursor: next } = (output ?? {}) as { next_cursor?: string }
  if (!next) return {}
  const query = new URLSearchParams(ctx.querystring)
  query.set('cursor', next)
  return { Link: `<${askedPath(ctx)}?${query}>; rel="next"` }
}
