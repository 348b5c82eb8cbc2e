import { notPublic } from '../../outbound/address-rules.ts'
import { ownPortRefusal, placeOf, readHost } from '../../outbound/host-rules.ts'
import { portOf, urlProblem } from '../beats/types/url-rules.ts'
import type { Services } from '../kernel/services.ts'

/**
 * Why no webhook may be sent to a URL, whatever its name resolves to; null for an allowed URL. The addresses of a name are
 * verified for each connection.
 */
export function forbiddenUrl(
  written: string,
  { beatTargets, ownPorts }: Pick<Services, 'beatTargets' | 'ownPorts'>,
  url = URL.parse(written),
): string | null {
  // A URL is shown to all admins.
  if (url?.username || url?.password)
    return 'must not contain a user or a password: the signature identifies the sender'
  const problem = urlProblem(written, url)
  if (problem || !url) return problem
  const host = readHost(url.hostname)
  if (!host) return `has a host that is not valid: ${url.hostname}`
  const place = 'address' in host ? host.address : host.name
  if (ownPorts.includes(place, portOf(url))) return ownPortRefusal(placeOf(url.hostname, portOf(url)))
  const reason = beatTargets === 'public' && 'address' in host ? notPublic(host.address) : null
  return reason ? `${url.hostname} is ${reason}; only public addresses may be reached here` : null
}
