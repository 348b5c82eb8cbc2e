/** Classifies errors of the database: whether to retry, and what to answer. */

/** The error and its causes, outermost first. Errors of another realm are not instances of `Error`, so only fields matter. */
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

/** The SQL state of an error: five characters. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error)
  return code && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Serialization, deadlock, and a foreign key whose row was deleted, or referenced, meanwhile. */
const contentionCodes = ['40001', '40P01', '23503']

/** A conflict with another transaction: a retry in a new transaction may succeed. */
export const isContention = (error: unknown): boolean => contentionCodes.includes(codeOf(error) ?? '')

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** The user or role lacks the permission. */
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

/** The database refused the data; a retry would fail again. */
export function isRefused(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}
