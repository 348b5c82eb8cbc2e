/** A longer text is neither a number nor a moment. Testing a long text would take quadratic time. */
const LONGEST = 100

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST

export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return isShort(value) && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null
}

/** Seconds of this size lie past the year 5000; milliseconds of it in 1973. */
const SECONDS_BELOW = 1e11

/** Reads ISO 8601 with an offset, or seconds or milliseconds since 1970. */
export function momentOf(value: unknown): number | null {
  if (isShort(value) && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) {
    const moment = Date.parse(value)
    return Number.isNaN(moment) ? null : moment
  }
  const number = numberOf(value)
  return number === null || Math.abs(number) >= SECONDS_BELOW ? number : number * 1000
}
