/** A number beyond 2^53 has that many digits, or an exponent. */
const LARGE = /\d{16}|\d[eE]\+?\d+\s*[,\]}]/

/** The JSON value of a text. A number beyond 2^53, which would be rounded, is its text: ids that differ stay different. */
export const parseExactly = (text: string): unknown => (LARGE.test(text) ? JSON.parse(text, exactly) : JSON.parse(text))

function exactly(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? context?.source : value
}
