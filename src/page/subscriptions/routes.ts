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
import { askedPath } from '../../web/page-path.ts'
import type { ApiState } from '../../web/state.ts'
import type { BrandingDeps } from '../branding.ts'
import { readerOfForm, sendForm } from './for-people.ts'
import { renderSent, renderSubscribe } from './subscribe-page.ts'

type PageContext = Context & { state: ApiState }

/** Counts the forms that were sent, and not the page. */
export const onlyPosts =
  (limit: Middleware): Middleware =>
  (ctx, next) =>
    ctx.method === 'POST' ? limit(ctx, next) : next()

interface Deps extends BrandingDeps {
  services: Services
}

type Call = Pick<Parameters<typeof execute>[2], 'page' | 'actor' | 'requestId'>

async function nameOfView(services: Services, call: Call, code: string | string[]): Promise<string> {
  if (typeof code !== 'string' || !isViewCode(code)) throw notFound('view')
  const { output } = await execute(services, getViewOutside, { ...call, input: { view_code: code } })
  return (output as { name: string }).name
}

/** Shows the form, or subscribes the address of a form that was sent: to the page or, with `view`, to a custom view. */
export async function answerSubscribing(deps: Deps, ctx: PageContext, page: PageRef): Promise<void> {
  const { services } = deps
  const { actor } = ctx.state.caller!
  authorize(subscribe, { actor, page })
  const call = { page, actor, requestId: ctx.state.requestId }
  const code = ctx.query.view
  const view = code === undefined ? undefined : await nameOfView(services, call, code)
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined
  const reader = await readerOfForm(deps, ctx, page, form?.get('locale'))
  const { language, labels } = reader
  const shown = { ...reader, page, view, languages: reader.languagesAt(askedPath(ctx) + ctx.search) }
  if (!form) return sendForm(ctx, reader, 200, renderSubscribe(shown))
  const subscriptions = view === undefined ? {} : { subscriptions: [{ scope: { kind: 'view', code } }] }
  // Mails without a language of their own are in the original language of the page.
  const locale = language === reader.original ? {} : { locale: language }
  const input = { email: form.get('email') ?? '', ...locale, ...subscriptions }
  try {
    await atEvenTimes(() => execute(services, subscribe, { ...call, input }))
    sendForm(ctx, reader, 202, renderSent(shown))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
    const problem = labels.text('subscription.subscribe.wrong_email')
    sendForm(ctx, reader, 400, renderSubscribe({ ...shown, problem }))
  }
}
