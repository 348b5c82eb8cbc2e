import { isSecretPath, REDACTED } from '../../../outbound/secret-rules.ts'
import type { Assertion } from '../types/assertion.ts'

/** The value of an assertion about a secret is a secret. It is sealed as JSON, because the value may be a list. */

type Asserted = Pick<Assertion, 'source' | 'path' | 'operator' | 'value'>

const hasSecretValue = ({ path, operator, value }: Asserted) =>
  operator !== 'exists' && value !== undefined && value !== null && isSecretPath(path ?? '')

/** Whether the value of an assertion is masked. Called before validation, so the argument may be anything. */
export const hidesValue = (written: unknown): boolean => {
  const assertion = written as Asserted | null | undefined
  return assertion?.value === REDACTED && typeof assertion.path === 'string' && hasSecretValue(assertion)
}

/** The source, path and operator of an assertion; null for a value that is not an assertion. */
function kindOf(written: unknown): string | null {
  const { source, path, operator } = (written ?? {}) as Record<string, unknown>
  const isAssertion = [source, path, operator].every((part) => typeof part === 'string')
  return isAssertion ? `assertions/${source} ${path} ${operator}` : null
}

/** Each assertion with its kind and its number among assertions of the same kind, which identify its sealed value. */
function keyed(assertions: readonly Asserted[]): [key: string, assertion: Asserted][] {
  const seen = new Map<string, number>()
  return assertions.map((assertion) => {
    const kind = kindOf(assertion)
    if (kind === null) return ['', assertion]
    const number = (seen.get(kind) ?? 0) + 1
    seen.set(kind, number)
    return [number === 1 ? kind : `${kind} (${number})`, assertion]
  })
}

export function hideValues(assertions: readonly Asserted[], secrets: Record<string, string>): Asserted[] {
  return keyed(assertions).map(([key, assertion]) => {
    if (!hasSecretValue(assertion)) return assertion
    secrets[key] = JSON.stringify(assertion.value)
    return { ...assertion, value: REDACTED }
  })
}

/** Restores masked values. With another number of assertions of a kind than stored, a mask is ambiguous and stays. */
export function withValues(assertions: readonly Asserted[], secrets: Record<string, string>): Asserted[] {
  const stored = counted(Object.keys(secrets).map((key) => key.replace(/ \(\d+\)$/, '')))
  // Null values are not sealed.
  const requested = counted(assertions.filter((assertion) => assertion?.value != null).map(kindOf))
  return keyed(assertions).map(([key, assertion]) => {
    const kind = hidesValue(assertion) ? kindOf(assertion) : null
    const secret = kind !== null && requested.get(kind) === stored.get(kind) ? secrets[key] : undefined
    return secret === undefined ? assertion : { ...assertion, value: JSON.parse(secret) }
  })
}

function counted(kinds: (string | null)[]): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
