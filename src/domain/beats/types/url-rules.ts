const SCHEME = /^https?:\/\//i
const NO_SCHEME = 'must be a URL that starts with http:// or https://'
const NO_PORT = 'must have a port from 1 to 65535, or none'

/** The problem of the URL of a target, as a message for its author; null for a valid URL. */
export function urlProblem(value: string, url = URL.parse(value)): string | null {
  if (!url) return SCHEME.test(value) ? placeProblem(value) : NO_SCHEME
  if (!/^https?:$/.test(url.protocol)) return NO_SCHEME
  // A header is encrypted and redacted; a URL is shown to readers.
  if (url.username || url.password)
    return 'must not contain a user or a password: put them into an Authorization header'
  return url.port === '0' ? NO_PORT : null
}

/** The problem between the scheme and the path of a URL that cannot be parsed; the parser gives no reason. */
function placeProblem(value: string): string {
  const [place = ''] = value.replace(SCHEME, '').split(/[/\\?#]/)
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place.slice(place.lastIndexOf('@') + 1)) ?? []
  if (host === '') return 'must name a host'
  if (port && !(/^\d+$/.test(port) && Number(port) <= 65_535)) return NO_PORT
  return `has a host that is not valid: ${host} is neither a host name nor an IP address`
}

/** The port of a URL. */
export const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))
