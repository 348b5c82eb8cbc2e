import type { Context } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import { isOpen } from '../../domain/kernel/open-page.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { matches } from '../../domain/tokens/secret.ts'
import type { ApiState } from '../state.ts'
import { type Admission, admissionOf, type Credential } from './access-rules.ts'
import { credentialInCookies } from './cookies.ts'

/** What decides who may read a page. */
export type Readable = Pick<PageRef, 'id' | 'visibility' | 'viewer_auth_mode' | 'viewer_session_key' | 'access_links'>
type Needed = Pick<Services, 'keyring' | 'clock'>
type Link = PageRef['access_links'][number]

/** What a request gives to read a page. */
interface Given {
  /** The page of its token. */
  tokenPageId: number | undefined
  /** The parameter `access`. */
  access: string | undefined
  cookies: string
}

export const givenBy = (ctx: Context & { state: ApiState }): Given => ({
  tokenPageId: ctx.state.caller?.pageId,
  access: typeof ctx.query.access === 'string' ? ctx.query.access : undefined,
  cookies: ctx.get('Cookie'),
})

/** Whether the reader may read the page now, and the valid access link of the address. */
export function admissionFor(
  given: Given,
  page: Readable,
  services: Needed,
): { admission: Admission; link: Link | undefined } {
  const link = linkOf(page, given.access, services.clock())
  return { admission: admissionOf(page, credentialOf(given, page, services, link)), link }
}

function credentialOf(given: Given, page: Readable, { keyring, clock }: Needed, link: Link | undefined): Credential {
  if (given.tokenPageId === page.id) return 'token'
  if (link) return 'link'
  return isOpen(page) ? 'none' : (credentialInCookies(given.cookies, keyring, page, clock()) ?? 'none')
}

const linkOf = (page: Readable, token: string | undefined, now: Date): Link | undefined =>
  token === undefined
    ? undefined
    : page.access_links.find((link) => matches(token, link.hash) && new Date(link.expires_at) > now)
