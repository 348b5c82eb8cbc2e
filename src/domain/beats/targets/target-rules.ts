import { isSecretName, REDACTED } from '../../../outbound/secret-rules.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { Assertion } from '../types/assertion.ts'
import { hidesValue } from './assertion-secret-rules.ts'

/** Rules for targets beyond their schemas. */

interface Parts {
  url?: string
  headers?: Record<string, string>
  client_certificate?: { key?: string }
  assertions?: Assertion[]
}

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
