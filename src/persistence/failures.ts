/** What a failed statement means to the one who tried: whether to try again, and what to say. */

/** The error and what caused it, outermost first. Told by their shape, as errors of another realm are no `Error` of ours. */
function* chain(error: unknown): Generator<Partial<Record<'code' | 'constraint' | 'message', unknown>>> {
  for (let inner = error; inner !== null && typeof inner === 'object'; inner = (inner as { cause?: unknown }).cause) {
    yield inner
  }
}

function first(error: unknown, name: 'code' | 'constraint'): string | undefined {
  for (const { [name]: value } of chain(error)) if (typeof value === 'string') return value
  return undefined
}

const codeOf = (error: unknown) => first(error, 'code')

/** The five characters by which PostgreSQL names what went wrong. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error)
  return code && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Another transaction was in the way; the same work on a fresh fork may well pass. */
export function isContention(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** The user or role may not do that. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === '42501'

export const violatedConstraint = (error: unknown) => first(error, 'constraint')

/**
 * Not reachable (08, 57P0), out of disk, memory or connections (53), unable to read or write files (58), a standby that
 * takes no writes (25006), too slow (57014), or gone after a pause in a transaction (25P03).
 */
const awayCodes = /^(08|53|58|57P0|57014|25006|25P03|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_)/
const awayMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|Client was closed|ECONNREFUSED|not currently accepting connections/i

export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code && awayCodes.test(code)) return true
  return [...chain(error)].some(({ message }) => typeof message === 'string' && awayMessages.test(message))
}

/** The data itself was refused, and will be again. */
export function isRefused(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}
