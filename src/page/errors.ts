import type { Context, Middleware } from 'koa'
import { Problem, type ProblemCode } from '../domain/kernel/errors.ts'
import type { Directory } from '../domain/pages/directory.ts'
import { localeOfLink } from '../domain/subscribers/links.ts'
import { answerErrors } from '../web/errors.ts'
import { linkOf } from '../web/links.ts'
import { homeOf } from '../web/page-lookup.ts'
import { askedPath } from '../web/page-path.ts'
import type { ApiState } from '../web/state.ts'
import { showPasswordForm } from './access/answer-password.ts'
import { type BrandingDeps, brandedAs, brandingOf } from './branding.ts'
import { headersOf } from './headers.ts'
import { renderNotice } from './notices.ts'
import { labelsOfReader, languageOfReader } from './reader-labels.ts'
import { plainStyle } from './style.ts'
import { wantsPage } from './subscriptions/for-people.ts'
import { subscribePath } from './subscriptions/subscribe-page.ts'

interface Answer {
  code: ProblemCode
  error: string
  request_id: string
}

interface Deps extends BrandingDeps {
  directory: Directory
}

/** Answers an error like the API, with the same status and headers, but with a page for people. */
export function answerErrorsToPeople(deps: Deps, readLink?: ReadLink): Middleware<ApiState> {
  const answer = answerErrors()
  const style = plainStyle()
  const headers = headersOf({ style })
  return async (ctx, next) => {
    let failed = true
    await answer(ctx, async () => {
      await next()
      failed = false
    })
    if (!failed) return
    const { code, error, request_id: requestId } = ctx.body as Answer
    const { lockedPage } = ctx.state
    if (code === 'viewer_auth_required' && lockedPage) return showPasswordForm(deps, ctx, lockedPage)
    const home = code === 'not_found' && askedPath(ctx) !== '/' ? await homeIn(deps, ctx) : undefined
    ctx.set({ ...(home?.branded.headers ?? headers), 'Cache-Control': 'no-store' })
    ctx.vary('Accept-Language')
    const { again, locale } = (await readLink?.(ctx)) ?? {}
    const labels = labelsOfReader(ctx, locale)
    ctx.body = renderNotice({ code, requestId, home, text: readLink && error, again }, style, labels)
  }
}

/** The page that a reader of a missing address may go to, with its branding. */
async function homeIn(deps: Deps, ctx: Context & { state: ApiState }) {
  const home = await homeOf(deps, ctx)
  if (!home) return undefined
  const branding = await brandingOf(deps, home.page)
  return { href: home.href, branded: brandedAs(branding, home.page, languageOfReader(ctx, branding.languages)) }
}

/** Where a new link can be asked for, and the language of the subscriber of the link. */
type ReadLink = (ctx: Context) => Promise<{ again: string | undefined; locale: string | null | undefined }>

/** Answers errors of a link: with a page for a browser, which has a way to a new link, else with the error of the API. */
export function answerErrorsToReaders(deps: Deps): Middleware<ApiState> {
  const { directory, services } = deps
  const readLink: ReadLink = async (ctx) => {
    const link = linkOf(ctx)
    const found = await directory.ofHost(ctx.host).catch(() => undefined)
    const named = await directory.byId(link?.pageId ?? 0).catch(() => undefined)
    const page = named ?? found?.page
    const again = page?.visibility === 'public' ? subscribePath(page) : undefined
    return { again, locale: link && (await localeOfLink(services, link).catch(() => undefined)) }
  }
  const toPeople = answerErrorsToPeople(deps, readLink)
  return (ctx, next) => (wantsPage(ctx) ? toPeople(ctx, next) : next())
}

/** Answers an unknown address: with a page for a browser, with the error of the API for every other client. */
export function answerNothingHere(deps: Deps): Middleware<ApiState> {
  const toPeople = answerErrorsToPeople(deps)
  const nothing = () => Promise.reject(new Problem('not_found', 'This address does not exist.'))
  return (ctx) => {
    return wantsPage(ctx) ? toPeople(ctx, nothing) : nothing()
  }
}
