import type { Context, Middleware } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import { noSuchPage } from '../../domain/kernel/errors.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { withDatabase } from '../../domain/kernel/unavailable.ts'
import type { Directory } from '../../domain/pages/directory.ts'
import { viewerPasswordHash } from '../../persistence/system/viewer-passwords.ts'
import { localPath } from '../../web/access/access-rules.ts'
import { admissionFor, givenBy } from '../../web/access/admission.ts'
import { setViewerCookie } from '../../web/access/cookies.ts'
import { readForm } from '../../web/body.ts'
import { findPageOfReader, redirect } from '../../web/page-lookup.ts'
import { askedPath } from '../../web/page-path.ts'
import type { LimitPasswords } from '../../web/rate-limits.ts'
import type { ApiState } from '../../web/state.ts'
import type { BrandingDeps } from '../branding.ts'
import { readerOfForm, sendForm } from '../subscriptions/for-people.ts'
import { renderPasswordForm } from './password-form.ts'

type PageContext = Context & { state: ApiState }

interface Deps extends BrandingDeps {
  services: Services
  directory: Directory
  limitPasswords: LimitPasswords
}

/** Checks the password of a form, and leads to the path that the reader asked for. */
export function answerPassword(deps: Deps): Middleware<ApiState> {
  const { services } = deps
  return async (ctx: PageContext) => {
    const form = await readForm(ctx)
    const path = localPath(form.get('path'), ctx.state.base)
    const found = await withDatabase(() => findPageOfReader(deps, ctx))
    if (!found) throw noSuchPage()
    const { page, movedTo } = found
    const { admission } = admissionFor(givenBy(ctx), page, services)
    if (admission === 'not_found') throw noSuchPage()
    if (movedTo !== undefined) return redirect(ctx, movedTo)
    if (admission === 'password') {
      if (!(await isRight(deps, ctx, page, form.get('password') ?? ''))) {
        return showPasswordForm(deps, ctx, page, { path, isWrong: true })
      }
      setViewerCookie(ctx, services.keyring, page, services.clock())
    }
    ctx.set('Cache-Control', 'no-store')
    ctx.status = 303
    ctx.set('Location', path)
  }
}

const LONGEST_PASSWORD = 200

async function isRight({ services, limitPasswords }: Deps, ctx: PageContext, page: PageRef, password: string) {
  const attempt = limitPasswords(ctx, page.id)
  if (password.length > LONGEST_PASSWORD) return false
  const hash = await withDatabase(() => viewerPasswordHash(services.system, page.id))
  const isRight = hash !== null && (await services.passwords.matches(password, hash))
  if (isRight) attempt.succeeded()
  return isRight
}

/** Shows the form at the address that the reader asked for. */
export async function showPasswordForm(
  deps: BrandingDeps,
  ctx: PageContext,
  page: PageRef,
  { path = askedPath(ctx) + ctx.search, isWrong = false }: { path?: string; isWrong?: boolean } = {},
): Promise<void> {
  const chosen = new URLSearchParams(path.split('?')[1]).get('locale')
  const reader = await readerOfForm(deps, ctx, page, chosen)
  const languages = reader.languagesAt(path)
  sendForm(ctx, reader, 401, renderPasswordForm({ ...reader, action: ctx.state.base || '/', path, languages, isWrong }))
}
