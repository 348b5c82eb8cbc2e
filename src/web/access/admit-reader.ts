import type { Context } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import { noSuchPage, Problem } from '../../domain/kernel/errors.ts'
import { isOpen } from '../../domain/kernel/open-page.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { matches } from '../../domain/tokens/secret.ts'
import type { ApiState } from '../state.ts'
import { type Admission, admissionOf, type Credential } from './access-rules.ts'
import { credentialInCookies, setViewerCookie } from './cookies.ts'

type RequestContext = Context & { state: ApiState }
type Needed = Pick<Services, 'keyring' | 'clock'>
type Link = PageRef['access_links'][number]

/** Answers with a valid access link in their address are for its holder alone. */
const headersOfLinks = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' }

/**
 * Lets a reader pass who may read the page, else throws. Removes the parameter `access`, so that the answers of all readers come
 * from the same snapshot. Links inside a document have no token, so an access link sets a cookie there.
 */
export function admitReader(ctx: RequestContext, page: PageRef, services: Needed, door: 'document' | 'data'): void {
  const { admission, link } = admissionFor(ctx, page, services)
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

/** Whether the reader may read the page, and the valid access link in the address. */
export function admissionFor(
  ctx: RequestContext,
  page: PageRef,
  services: Needed,
): { admission: Admission; link: Link | undefined } {
  const link = linkOf(page, ctx.query.access, services.clock())
  return { admission: admissionOf(page, credentialOf(ctx, page, services, link)), link }
}

function credentialOf(ctx: RequestContext, page: PageRef, { keyring, clock }: Needed, link?: Link): Credential {
  if (ctx.state.caller?.pageId === page.id) return 'token'
  if (link) return 'link'
  return isOpen(page) ? 'none' : (credentialInCookies(ctx, keyring, page, clock()) ?? 'none')
}

const linkOf = (page: PageRef, token: unknown, now: Date): Link | undefined =>
  typeof token === 'string'
    ? page.access_links.find((link) => matches(token, link.hash) && new Date(link.expires_at) > now)
    : undefined
