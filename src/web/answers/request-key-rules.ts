import type { IncomingHttpHeaders } from 'node:http'

/** What of a request decides on the answer to an anonymous reader. Pure: no clock, no database. */

const LONGEST_KEY = 4000

interface Asked {
  method?: string | undefined
  url?: string | undefined
  headers: IncomingHttpHeaders
}

/** The same key means the same answer. A request with a credential, or with a long address, has none. */
export function keyOf({ method, url = '', headers }: Asked, trustProxy: boolean): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return undefined
  const forwarded = trustProxy ? headers['x-forwarded-host'] : ''
  const accepted = `${headers['accept-language'] ?? ''}\n${headers['accept-encoding'] ?? ''}`
  const key = `${method} ${url}\n${headers.host ?? ''}\n${forwarded ?? ''}\n${accepted}`
  return key.length > LONGEST_KEY ? undefined : key
}

/** The address of the client, as Koa determines it. */
export function addressOf(headers: IncomingHttpHeaders, remoteAddress: string, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined
  return (
    String(forwarded ?? '')
      .split(',')[0]!
      .trim() || remoteAddress
  )
}
