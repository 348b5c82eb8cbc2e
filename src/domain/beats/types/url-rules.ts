const SCHEME = /^https?:\/\//i
const NO_SCHEME = 'must be a URL that starts with http:// or https://'
const NO_PORT = 'must have a port from 1 to 65535, or none'

/** What is wrong with the URL of a target, in words for its author; null when nothing is. */
export function urlProblem(value: string): string | null {
  const url = URL.parse(value)
  if (!url) return SCHEME.test(value) ? placeProblem(value) : NO_SCHEME
  if (!/^https?:$/.test(url.protocol)) return NO_SCHEME
  // A header is encrypted and redacted; a URL is shown to readers.
  if (url.username || url.password) return 'must not hold a user or a password: put them into an Authorization header'
  return url.port === '0' ? NO_PORT : null
}

/** Of a URL that cannot be read, which the library does not explain: what stands between its scheme and its path. */
function placeProblem(value: string): string {
  const [place = ''] = value.replace(SCHEME, '').split(/[/\\?#]/)
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place.slice(place.lastIndexOf('@') + 1)) ?? []
  if (host === '') return 'must name a host'
  if (port && !(/^\d+$/.test(port) && Number(port) <= 65_535)) return NO_PORT
  return `has a host that is not valid: ${host} is neither a host name nor an IP address`
}
