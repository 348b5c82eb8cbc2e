import type { Context, Middleware } from 'koa'
import { authorize } from '../../domain/kernel/authorize.ts'
import type { PageRef } from '../../domain/kernel/context.ts'
import { notFound, Problem } from '../../domain/kernel/errors.ts'
import { execute } from '../../domain/kernel/execute.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { subscribe } from '../../domain/subscribers/public/operations.ts'
import { getLanguages } from '../../domain/translations/languages.ts'
import type { Languages } from '../../domain/translations/rules.ts'
import { getViewOutside } from '../../domain/views/reads.ts'
import { isViewCode } from '../../domain/views/rules.ts'
import { labelsFor } from '../../languages/labels.ts'
import { readForm } from '../../web/body.ts'
import { atEvenTimes } from '../../web/even-times.ts'
import type { ApiState } from '../../web/state.ts'
import { languageOfReader } from '../reader-labels.ts'
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
  ctx.set(pageHeaders)
  ctx.vary('Accept-Language')
  ctx.status = 200
  const call = { page, actor, requestId: ctx.state.requestId }
  const code = ctx.query.view
  const view = code === undefined ? undefined : await nameOfView(services, call, code)
  const languages = (await execute(services, getLanguages, { ...call, input: {} })).output as Languages
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined
  const language = languageOfReader(ctx, languages, form?.get('locale'))
  const labels = labelsFor(language)
  const shown = { page, labels, language, view }
  if (!form) {
    ctx.body = renderSubscribe(shown)
    return
  }
  const subscriptions = view === undefined ? {} : { subscriptions: [{ scope: { kind: 'view', code } }] }
  // Mails without a language of their own are in the original language of the page.
  const locale = language === languages.original ? {} : { locale: language }
  const input = { email: form.get('email') ?? '', ...locale, ...subscriptions }
  try {
    await atEvenTimes(() => execute(services, subscribe, { ...call, input }))
    ctx.status = 202
    ctx.body = renderSent(shown)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
    ctx.status = 400
    ctx.body = renderSubscribe({ ...shown, problem: labels.text('subscription.subscribe.wrong_email') })
  }
}
