import type { Context, Middleware } from 'koa'
import { authorize } from '../../domain/kernel/authorize.ts'
import type { PageRef } from '../../domain/kernel/context.ts'
import { Problem } from '../../domain/kernel/errors.ts'
import { execute } from '../../domain/kernel/execute.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { subscribe } from '../../domain/subscribers/public/operations.ts'
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

/** Shows the form to subscribe, or subscribes the address of a form that was sent. */
export async function answerSubscribing(services: Services, ctx: PageContext, page: PageRef): Promise<void> {
  const { actor } = ctx.state.caller!
  authorize(subscribe, { actor, page })
  const labels = labelsOfReader(ctx)
  ctx.set(pageHeaders)
  ctx.vary('Accept-Language')
  ctx.status = 200
  if (ctx.method !== 'POST') {
    ctx.body = renderSubscribe({ page, labels })
    return
  }
  const input = { email: (await readForm(ctx)).get('email') ?? '' }
  try {
    await atEvenTimes(() => execute(services, subscribe, { page, actor, requestId: ctx.state.requestId, input }))
    ctx.status = 202
    ctx.body = renderSent({ page, labels })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
    ctx.status = 400
    ctx.body = renderSubscribe({ page, labels, problem: labels.text('subscription.subscribe.wrong_email') })
  }
}
