/** What a failed statement means to the one who tried: whether to try again, and what to say. */

function codeOf(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Another transaction was in the way; the same work on a fresh fork may well pass. */
export function isContention(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

export function violatedConstraint(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { constraint } = inner as { constraint?: unknown }
    if (typeof constraint === 'string') return constraint
  }
  return undefined
}

const awayCodes = /^(08|57P0|53300|53400|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_)/
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|ECONNREFUSED/i

export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code && awayCodes.test(code)) return true
  return error instanceof Error && awayMessages.test(error.message)
}
