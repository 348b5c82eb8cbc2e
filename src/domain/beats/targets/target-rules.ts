import { notPublic } from '../../../outbound/address-rules.ts'
import { placeOf, readHost, readPlace } from '../../../outbound/host-rules.ts'
import { isSecretName, REDACTED } from '../../../outbound/secret-rules.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { OwnPorts } from '../../kernel/services.ts'
import type { Assertion } from '../types/assertion.ts'
import { hidesValue } from './assertion-secret-rules.ts'

/** What a target may not say, beyond its shape. */

interface Parts {
  url?: string
  host?: string
  port?: number
  resolver?: string
  headers?: Record<string, string>
  client_certificate?: { key?: string }
  assertions?: Assertion[]
}

interface Place {
  field: string
  host: string
  /** Absent for a ping, which connects to no port. */
  port?: number
}

/** Where a check of it connects to, by the field that says so. Of a dns target that is its resolver alone. */
function placesOf(type: string, { url, host, port, resolver }: Parts): Place[] {
  if (type === 'dns') {
    return resolver === undefined ? [] : [{ field: 'resolver', ...(readPlace(resolver, 53) ?? { host: resolver }) }]
  }
  if (url !== undefined) {
    const read = URL.parse(url)
    return [{ field: 'url', host: read?.hostname ?? url, port: read ? portOf(read) : undefined }]
  }
  return host === undefined ? [] : [{ field: 'host', host, port: port ?? (type === 'tls' ? 443 : undefined) }]
}

/** The port that a web address leads to. */
export const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/** The machine's resolver may answer for private networks: where only public addresses are checked, it is not asked. */
export const NO_PUBLIC_RESOLVER =
  'only public addresses may be checked here, so a dns beat must name a public resolver, such as 1.1.1.1'

/** What is not public; a name is looked up, and checked, when it is connected to. */
export function hostProblems(type: string, target: object): FieldError[] {
  if (type === 'dns' && (target as Parts).resolver === undefined) {
    return [{ path: 'target.resolver', message: NO_PUBLIC_RESOLVER }]
  }
  return placesOf(type, target as Parts).flatMap(({ field, host: written }) => {
    const host = readHost(written)
    const reason = host && 'address' in host ? notPublic(host.address) : null
    if (!reason) return []
    return { path: `target.${field}`, message: `${written} is ${reason}; only public addresses may be checked here` }
  })
}

/** Ports of the service's own servers. A name that leads to one is refused when a check connects to its addresses. */
export function ownPortProblems(type: string, target: object, own: OwnPorts): FieldError[] {
  return placesOf(type, target as Parts).flatMap(({ field, host: written, port }) => {
    const host = readHost(written)
    if (!host || port === undefined || !own.includes('address' in host ? host.address : host.name, port)) return []
    return { path: `target.${field}`, message: ownPortRefusal(placeOf(written, port)) }
  })
}

export const ownPortRefusal = (place: string) =>
  `${place} is a port of this service's own servers; no beat may connect to it`

/** Where a target still says that something is hidden that nobody knows. */
export function hiddenProblems(target: object): FieldError[] {
  const { url, headers, client_certificate, assertions } = target as Parts
  const fields = [
    ...(typeof url === 'string' && url.includes(REDACTED) ? ['url'] : []),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      isSecretName(name) && value === REDACTED ? [`headers.${name}`] : [],
    ),
    ...(client_certificate?.key === REDACTED ? ['client_certificate.key'] : []),
    ...(Array.isArray(assertions) ? assertions : []).flatMap((assertion, index) =>
      hidesValue(assertion) ? [`assertions.${index}.value`] : [],
    ),
  ]
  const message = `${REDACTED} stands for a stored secret, and none is stored for this: say it again`
  return fields.map((field) => ({ path: `target.${field}`, message }))
}

/** A secret that was given for one server is not sent to another by who cannot read it. */
export function isElsewhere(said: object, stored: object): boolean {
  return originOf(said) !== originOf(stored)
}

/** Asked of what a request says, before anything else is: its URL may be anything. */
function originOf(target: object): string | null {
  const { url } = target as { url?: unknown }
  return typeof url === 'string' ? (URL.parse(url)?.origin ?? null) : null
}
