import type { Context, Middleware } from 'koa'
import { authorize } from '../../domain/kernel/authorize.ts'
import type { PageRef } from '../../domain/kernel/context.ts'
import { notFound, Problem } from '../../domain/kernel/errors.ts'
import { execute } from '../../domain/kernel/execute.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { subscribe } from '../../domain/subscribers/public/operations.ts'
import { getViewOutside } from '../../domain/views/reads.ts'
import { isViewCode } from '../../domain/views/rules.ts'
import { readForm } from '../../web/body.ts'
import { atEvenTimes } from '../../web/even-times.ts'
import type { ApiState } from '../../web/state.ts'
import { labelsOfReader } from '../reader-labels.ts'
import { pageHeaders } from './for-people.ts'
import { renderSent, renderSubscribe } from './subscribe-page.ts'

type PageContext = Context & { state: ApiState }

/** Counts the forms that were sent, and not the page. */
export const onlyPosts =
  (limit: Middleware): Middleware =>
  (ctx, next) =>
    ctx.method === 'POST' ? limit(ctx, next) : next()

type Call = Pick<Parameters<typeof execute>[2], 'page' | 'actor' | 'requestId'>

async function nameOfView(services: Services, call: Call, code: string | string[]): Promise<string> {
  if (typeof code !== 'string' || !isViewCode(code)) throw notFound('view')
  const { output } = await execute(services, getViewOutside, { ...call, input: { view_code: code } })
  return (output as { name: string }).name
}

/** Shows the form, or subscribes the address of a form that was sent: to the page or, with `view`, to a custom view. */
export async function answerSubscribing(services: Services, ctx: PageContext, page: PageRef): Promise<void> {
  const { actor } = ctx.state.caller!
  authorize(subscribe, { actor, page })
  const labels = labelsOfReader(ctx)
  ctx.set(pageHeaders)
  ctx.vary('Accept-Language')
  ctx.status = 200
  const call = { page, actor, requestId: ctx.state.requestId }
  const code = ctx.query.view
  const view = code === undefined ? undefined : await nameOfView(services, call, code)
  if (ctx.method !== 'POST') {
    ctx.body = renderSubscribe({ page, labels, view })
    return
  }
  const subscriptions = view === undefined ? {} : { subscriptions: [{ scope: { kind: 'view', code } }] }
  const input = { email: (await readForm(ctx)).get('email') ?? '', ...subscriptions }
  try {
    await atEvenTimes(() => execute(services, subscribe, { ...call, input }))
    ctx.status = 202
    ctx.body = renderSent({ page, labels })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
    ctx.status = 400
    ctx.body = renderSubscribe({ page, labels, view, problem: labels.text('subscription.subscribe.wrong_email') })
  }
}
