import { isSecretPath, REDACTED } from './secret-rules.ts'
import type { Assertion } from './targets/assertion.ts'

/** What an assertion wants of a secret is one itself, and is kept as JSON: it may be a list. */

type Asserted = Pick<Assertion, 'source' | 'path' | 'operator' | 'value'>

const tellsSecret = ({ path, operator, value }: Asserted) =>
  operator !== 'exists' && value !== undefined && value !== null && isSecretPath(path ?? '')

/** Asked of what a request says, before anything else is: it may be anything. */
export const hidesValue = (said: unknown): boolean => {
  const assertion = said as Asserted | null | undefined
  return assertion?.value === REDACTED && typeof assertion.path === 'string' && tellsSecret(assertion)
}

/** Each by what it looks at, so that it is known again where the others are changed, and by how many before it are alike. */
function keyed(assertions: readonly Asserted[]): [key: string, assertion: Asserted][] {
  const seen = new Map<string, number>()
  return assertions.map((assertion) => {
    const { source, path, operator } = assertion ?? {}
    const alike = `assertions/${source} ${path} ${operator}`
    const number = (seen.get(alike) ?? 0) + 1
    seen.set(alike, number)
    return [number === 1 ? alike : `${alike} (${number})`, assertion]
  })
}

export function hideValues(assertions: readonly Asserted[], secrets: Record<string, string>): Asserted[] {
  return keyed(assertions).map(([key, assertion]) => {
    if (!tellsSecret(assertion)) return assertion
    secrets[key] = JSON.stringify(assertion.value)
    return { ...assertion, value: REDACTED }
  })
}

export function withValues(assertions: readonly Asserted[], secrets: Record<string, string>): Asserted[] {
  return keyed(assertions).map(([key, assertion]) => {
    const secret = hidesValue(assertion) ? secrets[key] : undefined
    return secret === undefined ? assertion : { ...assertion, value: JSON.parse(secret) }
  })
}
