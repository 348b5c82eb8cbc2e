import { isIP, isIPv6 } from 'node:net'

/** What a host is: an address in its one canonical spelling, or a name that has to be looked up. */
export type Host = { address: string; family: 4 | 6 } | { name: string }

/** Characters that end a host in a URL, or hide one. */
const NOT_IN_HOSTS = /[\s/?#@\\%<>^|]|:\/\//
const MAX_NAME = 253

/**
 * Reads a host as a browser would, so that every spelling of an address (decimal, octal, hexadecimal, short, with other
 * scripts' digits or dots, in capitals, with a dot at its end) is that address before anyone decides about it.
 */
export function readHost(written: string): Host | null {
  if (written === '' || NOT_IN_HOSTS.test(written) || /\]./.test(written)) return null
  const bare = written.replace(/^\[(.*)\]$/, '$1')
  const parsed = URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : written}/`)
  if (parsed?.port !== '') return null
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family === 4 || family === 6) return { address: host, family }
  // A colon left over was a port, such as the 80 that the URL parser drops as the default.
  if (written.includes(':')) return null
  return isName(host) ? { name: host } : null
}

function isName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.length <= MAX_NAME && name.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))
}

/** How a place is written: an IPv6 address needs its brackets before a port. */
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
