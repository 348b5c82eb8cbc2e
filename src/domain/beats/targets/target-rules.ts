import { notPublic } from '../../../outbound/address-rules.ts'
import { placeOf, readHost, readPlace } from '../../../outbound/host-rules.ts'
import { isSecretName, REDACTED } from '../../../outbound/secret-rules.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { OwnPorts } from '../../kernel/services.ts'
import type { Assertion } from '../types/assertion.ts'
import { hidesValue } from './assertion-secret-rules.ts'

/** Rules for targets beyond their schemas. */

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

/** The places that a check connects to, with their fields. For a dns target only the resolver. */
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

/** The port of a URL. */
export const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/** The resolver of the machine may know private networks, so it is not used if only public addresses may be checked. */
export const NO_PUBLIC_RESOLVER =
  'only public addresses may be checked here, so a dns beat must name a public resolver, such as 1.1.1.1'

/** Addresses that are not public. A name is resolved and verified when a check connects. */
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

/** Ports of the service's own servers. A name is verified again when a check connects to its addresses. */
export function ownPortProblems(type: string, target: object, own: OwnPorts): FieldError[] {
  return placesOf(type, target as Parts).flatMap(({ field, host: written, port }) => {
    const host = readHost(written)
    if (!host || port === undefined || !own.includes('address' in host ? host.address : host.name, port)) return []
    return { path: `target.${field}`, message: ownPortRefusal(placeOf(written, port)) }
  })
}

export const ownPortRefusal = (place: string) =>
  `${place} is a port of this service's own servers; no beat may connect to it`

/** Masks without a stored secret. */
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
  const message = `${REDACTED} stands for a stored secret, and this field has no stored secret: send the secret itself`
  return fields.map((field) => ({ path: `target.${field}`, message }))
}

/** Whether a change moves the target to another server. The stored secrets must not be sent to that server. */
export function isElsewhere(requested: object, stored: object): boolean {
  return originOf(requested) !== originOf(stored)
}

/** Called before validation, so the URL may be anything. */
function originOf(target: object): string | null {
  const { url } = target as { url?: unknown }
  return typeof url === 'string' ? (URL.parse(url)?.origin ?? null) : null
}
