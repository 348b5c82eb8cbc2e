import type { Context } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import { noSuchPage, Problem } from '../../domain/kernel/errors.ts'
import { isOpen } from '../../domain/kernel/open-page.ts'
import type { Services } from '../../domain/kernel/services.ts'
import type { ApiState } from '../state.ts'
import { admissionFor, givenBy } from './admission.ts'
import { setViewerCookie } from './cookies.ts'

type RequestContext = Context & { state: ApiState }
type Needed = Pick<Services, 'keyring' | 'clock'>

/** Answers with a valid access link in their address are for its holder alone. */
const headersOfLinks = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' }

/**
 * Lets a reader pass who may read the page, else throws. Removes the parameter `access`, so that the answers of all readers come
 * from the same snapshot. Links inside a document have no token, so an access link sets a cookie there.
 */
export function admitReader(ctx: RequestContext, page: PageRef, services: Needed, door: 'document' | 'data'): void {
  const { admission, link } = admissionFor(givenBy(ctx), page, services)
  const { access, ...query } = ctx.query
  if (access !== undefined) ctx.query = query
  if (admission === 'not_found') throw noSuchPage()
  if (admission === 'password') {
    ctx.state.lockedPage = page
    throw new Problem('viewer_auth_required', 'This page needs the password of its viewers, an access link or a token.')
  }
  if (link) {
    ctx.state.accessToken = String(access)
    ctx.set(headersOfLinks)
    if (door === 'document' && !isOpen(page)) setViewerCookie(ctx, services.keyring, page, services.clock(), link)
  }
  const caller = ctx.state.caller!
  if (caller.actor.kind !== 'anonymous') return
  ctx.state.caller = { ...caller, actor: { ...caller.actor, mayRead: page.id } }
}
