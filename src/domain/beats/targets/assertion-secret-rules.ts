import { isSecretPath, REDACTED } from '../../../outbound/secret-rules.ts'
import type { Assertion } from '../types/assertion.ts'

/** What an assertion wants of a secret is one itself, and is kept as JSON: it may be a list. */

type Asserted = Pick<Assertion, 'source' | 'path' | 'operator' | 'value'>

const tellsSecret = ({ path, operator, value }: Asserted) =>
  operator !== 'exists' && value !== undefined && value !== null && isSecretPath(path ?? '')

/** Asked of what a request says, before anything else is: it may be anything. */
export const hidesValue = (said: unknown): boolean => {
  const assertion = said as Asserted | null | undefined
  return assertion?.value === REDACTED && typeof assertion.path === 'string' && tellsSecret(assertion)
}

/** What it looks at; null of what a request may say that is no assertion. */
function kindOf(said: unknown): string | null {
  const { source, path, operator } = (said ?? {}) as Record<string, unknown>
  const isOne = [source, path, operator].every((part) => typeof part === 'string')
  return isOne ? `assertions/${source} ${path} ${operator}` : null
}

/** Each by what it looks at, so that it is known again where the others are changed, and by how many before it are alike. */
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
    if (!tellsSecret(assertion)) return assertion
    secrets[key] = JSON.stringify(assertion.value)
    return { ...assertion, value: REDACTED }
  })
}

/** With more or fewer that are alike than are stored, nobody knows which of them a mask stands for: it is left as it is. */
export function withValues(assertions: readonly Asserted[], secrets: Record<string, string>): Asserted[] {
  const stored = counted(Object.keys(secrets).map((key) => key.replace(/ \(\d+\)$/, '')))
  // What wants null was not sealed either.
  const said = counted(assertions.filter((assertion) => assertion?.value != null).map(kindOf))
  return keyed(assertions).map(([key, assertion]) => {
    const kind = hidesValue(assertion) ? kindOf(assertion) : null
    const secret = kind !== null && said.get(kind) === stored.get(kind) ? secrets[key] : undefined
    return secret === undefined ? assertion : { ...assertion, value: JSON.parse(secret) }
  })
}

function counted(kinds: (string | null)[]): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
