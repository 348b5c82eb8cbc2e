import type { FieldError } from '../kernel/errors.ts'
import { notPublic } from './address-rules.ts'
import { readHost, readPlace } from './host-rules.ts'
import { hidesValue } from './sealed-assertion-rules.ts'
import { isSecretName, REDACTED } from './secret-rules.ts'
import type { Assertion } from './targets/assertion.ts'

/** What a target may not say, beyond its shape. */

interface Parts {
  url?: string
  host?: string
  resolver?: string
  headers?: Record<string, string>
  client_certificate?: { key?: string }
  assertions?: Assertion[]
}

/** Whom a check of it connects to, by the field that says so. Of a dns target that is its resolver alone. */
function hostsOf(type: string, { url, host, resolver }: Parts): [field: string, host: string][] {
  if (type === 'dns') return resolver === undefined ? [] : [['resolver', readPlace(resolver, 53)?.host ?? resolver]]
  if (url !== undefined) return [['url', URL.parse(url)?.hostname ?? url]]
  return host === undefined ? [] : [['host', host]]
}

/** Addresses that are not public; a name is looked up, and checked, when it is connected to. */
export function hostProblems(type: string, target: object): FieldError[] {
  return hostsOf(type, target as Parts).flatMap(([field, written]) => {
    const host = readHost(written)
    const reason = host && 'address' in host ? notPublic(host.address) : null
    if (!reason) return []
    return { path: `target.${field}`, message: `${written} is ${reason}; only public addresses may be checked here` }
  })
}

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
