import { isIP, isIPv6 } from 'node:net'

/** A host: an address in its canonical spelling, or a name that has to be resolved. */
export type Host = { address: string; family: 4 | 6 } | { name: string }

/** Characters that end a host in a URL, or hide one. */
const NOT_IN_HOSTS = /[\s/?#@\\%<>^|]|:\/\//
const MAX_NAME = 253

/**
 * Reads a host as a browser would. Every spelling of an address (decimal, octal, hexadecimal, short, with digits or dots of
 * other scripts, in capitals, with a dot at its end) becomes the canonical address before any rule is applied.
 */
export function readHost(written: string): Host | null {
  if (written === '' || NOT_IN_HOSTS.test(written) || /\]./.test(written)) return null
  const bare = written.replace(/^\[(.*)\]$/, '$1')
  const parsed = URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : written}/`)
  if (parsed?.port !== '') return null
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family === 6) return { address: host, family }
  // The colon belongs to a port: the URL parser drops the default port 80.
  if (written.includes(':')) return null
  if (family === 4) return { address: host, family }
  return isName(host) ? { name: host } : null
}

function isName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.length <= MAX_NAME && name.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))
}

/** A host and a port as text: an IPv6 address is written in brackets. */
export function placeOf(host: string, port: number): string {
  return host.includes(':') ? `[${host.replace(/^\[(.*)\]$/, '$1')}]:${port}` : `${host}:${port}`
}

/** A host with or without a port behind it. */
export function readPlace(written: string, otherwise: number): { host: string; port: number } | null {
  if (readHost(written)) return { host: written, port: otherwise }
  const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(written) ?? []
  const port = Number(digits)
  const bare = host.includes(':') && !host.startsWith('[')
  return readHost(host) && !bare && port >= 1 && port <= 65_535 ? { host, port } : null
}

export const ownPortRefusal = (place: string) =>
  `${place} is a port of this service's own servers; nothing may connect to it`
