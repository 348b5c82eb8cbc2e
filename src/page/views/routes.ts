import type { Context, Middleware } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import { Problem } from '../../domain/kernel/errors.ts'
import { execute } from '../../domain/kernel/execute.ts'
import type { Services } from '../../domain/kernel/services.ts'
import type { Directory } from '../../domain/pages/directory.ts'
import { proveViewAccess, requestViewAccess } from '../../domain/views/access.ts'
import { getViewPage, type ViewPage } from '../../domain/views/data.ts'
import { getViewOutside } from '../../domain/views/reads.ts'
import { keepProof, readsView } from '../../web/access/view-access.ts'
import { readForm } from '../../web/body.ts'
import { localeIn, settleLanguage } from '../../web/languages.ts'
import { askedPath } from '../../web/page-path.ts'
import type { PublicReads } from '../../web/public-reads.ts'
import { serveSnapshot } from '../../web/snapshots.ts'
import type { ApiState } from '../../web/state.ts'
import { renderHome } from '../home/home.ts'
import { madeDocument } from '../made-document.ts'
import { pageFor } from '../page-of-document.ts'
import { readerOfForm, sendForm } from '../subscriptions/for-people.ts'
import { renderViewForm } from './view-form.ts'

type PageContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  directory: Directory
  reads: PublicReads
}

/** The page of a view, or the form that asks for a code. */
export function serveViewPages(
  serve: (path: string, methods: string[], handlers: unknown[]) => void,
  deps: Deps,
  limits: { asking: Middleware; proving: Middleware },
): void {
  serve(
    '/v/:view_code',
    ['GET', 'HEAD'],
    [
      async (ctx: PageContext) => {
        const page = await pageFor(deps, ctx)
        if (page) await showView(deps, ctx, page)
      },
    ],
  )
  serve(
    '/v/:view_code',
    ['POST'],
    [
      async (ctx: PageContext) => {
        const form = await readForm(ctx)
        const limit = form.has('code') ? limits.proving : limits.asking
        await limit(ctx, async () => {})
        const page = await pageFor(deps, ctx)
        if (page) await answerForm(deps, ctx, page, form)
      },
    ],
  )
}

const codeIn = ({ params }: PageContext) => params.view_code ?? ''

async function showView(deps: Deps, ctx: PageContext, page: PageRef): Promise<void> {
  const { services, reads } = deps
  if (!(await readsView(deps, ctx, page, codeIn(ctx)))) return showForm(deps, ctx, page, {})
  const { requestId, caller, base } = ctx.state
  const { locale, headers, since } = await settleLanguage(deps, ctx, page, localeIn(ctx))
  const shown = ctx.query.view === 'tree' || ctx.query.view === 'basic' ? { view: ctx.query.view } : {}
  ctx.query = locale === undefined ? shown : { ...shown, locale }
  const make = async () => {
    const input = { view_code: codeIn(ctx), ...(locale !== undefined && { locale }) }
    const { output, revision } = await execute(services, getViewPage, { page, actor: caller!.actor, requestId, input })
    const { view, ...site } = output as ViewPage
    const body = renderHome(site, { base, path: ctx.path, view: view.code, revision }, { ...shown, all: false }, view)
    return madeDocument({ body, site, headers, revision })
  }
  await serveSnapshot(ctx, reads, page, make, since)
}

function leadToView(ctx: PageContext): void {
  ctx.set('Cache-Control', 'no-store')
  ctx.status = 303
  ctx.set('Location', askedPath(ctx))
}

interface Shown {
  email?: string
  isWrong?: boolean
}

async function showForm(deps: Deps, ctx: PageContext, page: PageRef, shown: Shown): Promise<void> {
  const { requestId, caller } = ctx.state
  const input = { view_code: codeIn(ctx) }
  const { output } = await execute(deps.services, getViewOutside, { page, actor: caller!.actor, requestId, input })
  const { name } = output as { name: string }
  const reader = await readerOfForm(deps, ctx, page)
  sendForm(ctx, reader, 401, renderViewForm({ ...reader, name, action: askedPath(ctx), ...shown }))
}

/** The first form gives an address, the second one the code of the mail. */
async function answerForm(deps: Deps, ctx: PageContext, page: PageRef, form: URLSearchParams): Promise<void> {
  const { services } = deps
  if (await readsView(deps, ctx, page, codeIn(ctx))) return leadToView(ctx)
  const { requestId, caller } = ctx.state
  const [email, code] = [form.get('email') ?? '', form.get('code')]
  const call = { page, actor: caller!.actor, requestId }
  const named = { view_code: codeIn(ctx), email: email.trim() }
  try {
    if (code === null) {
      const { language } = await readerOfForm(deps, ctx, page)
      await execute(services, requestViewAccess, { ...call, input: { ...named, locale: language } })
      return await showForm(deps, ctx, page, { email })
    }
    const input = { ...named, code: code.replace(/\s/g, '') }
    keepProof(services, ctx, await execute(services, proveViewAccess, { ...call, input }))
    leadToView(ctx)
  } catch (error) {
    if (!(error instanceof Problem) || !['viewer_auth_required', 'invalid_request'].includes(error.code)) throw error
    await showForm(deps, ctx, page, code === null ? { isWrong: true } : { email, isWrong: true })
  }
}
