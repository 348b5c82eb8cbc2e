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

/** Another transaction was in the way; the same work on a fresh fork may well pass. */
export function isContention(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

export const violatedConstraint = (error: unknown) => first(error, 'constraint')

const awayCodes = /^(08|57P0|53300|53400|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_)/
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|ECONNREFUSED|not currently accepting connections/i

export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code && awayCodes.test(code)) return true
  return [...chain(error)].some(({ message }) => typeof message === 'string' && awayMessages.test(message))
}

/** The data itself was refused, and will be again. */
export function isRefused(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}
