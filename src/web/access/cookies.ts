import type { Context } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import type { Keyring } from '../../domain/kernel/keyring.ts'
import type { ApiState } from '../state.ts'

type RequestContext = Context & { state: ApiState }
type Link = PageRef['access_links'][number]
type Named = Pick<PageRef, 'id' | 'viewer_session_key' | 'access_links'>

const SESSION_MS = 7 * 24 * 60 * 60 * 1000

const nameOf = ({ id }: Named) => `upbeat_viewer_${id}`

/** A cookie that proves the password ends with the password, a cookie of an access link with the link, both after 7 days. */
const contextOf = (page: Named, link: Link | undefined) =>
  link
    ? `viewers of page ${page.id}: link ${link.id} ${link.hash}`
    : `viewers of page ${page.id}: ${page.viewer_session_key}`

/** Sets the cookie of a reader who gave the password, or who has the link. */
export function setViewerCookie(ctx: RequestContext, keyring: Keyring, page: Named, now: Date, link?: Link): void {
  const longest = now.getTime() + SESSION_MS
  const until = new Date(link ? Math.min(longest, new Date(link.expires_at).getTime()) : longest)
  const facts = `${Math.floor(until.getTime() / 1000)}.${link?.id ?? 0}`
  const value = `${facts}.${keyring.sign(facts, contextOf(page, link))}`
  const parts = [`${nameOf(page)}=${value}`, `Path=${ctx.state.base || '/'}`, `Expires=${until.toUTCString()}`]
  ctx.append('Set-Cookie', [...parts, 'HttpOnly', 'SameSite=Lax', ...(ctx.secure ? ['Secure'] : [])].join('; '))
}

/** What the cookies of a request prove. A host and a slug can have a cookie of the same page, so each one counts. */
export function credentialInCookies(
  header: string,
  keyring: Keyring,
  page: Named,
  now: Date,
): 'session' | 'link' | undefined {
  const proved = valuesOf(header, nameOf(page)).map((value) => {
    const [, facts = '', seconds, id, signature = ''] = /^((\d{1,12})\.(\d{1,10}))\.([\w-]+)$/.exec(value) ?? []
    if (Number(seconds) * 1000 <= now.getTime()) return undefined
    const link = page.access_links.find((one) => one.id === Number(id))
    if (id !== '0' && (!link || new Date(link.expires_at) <= now)) return undefined
    if (!keyring.verify(facts, contextOf(page, link), signature)) return undefined
    return link ? ('link' as const) : ('session' as const)
  })
  return proved.find((one) => one === 'link') ?? proved.find(Boolean)
}

const MOST_CREDENTIALS = 10

/** The values of the cookies with this name. */
export function valuesOf(header: string, name: string): string[] {
  const pairs = header.split(';').map((part) => part.trim().split('='))
  return pairs
    .filter(([key]) => key === name)
    .map(([, value = '']) => value)
    .slice(0, MOST_CREDENTIALS)
}
