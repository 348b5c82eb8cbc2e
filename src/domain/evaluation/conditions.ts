import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import { boundedCache } from './bounded-cache.ts'
import { momentOf, numberOf } from './operand-rules.ts'
import { partsOf } from './pattern-rules.ts'
import type { Operator } from './schema.ts'

/** In parts of patterns: a part takes about half a kilobyte. */
const MOST_PARTS = 20_000

const compilePattern = boundedCache<RE2JS>(MOST_PARTS, (pattern) => ({
  value: RE2JS.compile(pattern),
  cost: partsOf(pattern) + 10,
}))

/**
 * Whether a condition holds for the values at its path; any one value suffices. `not_equals` is the opposite of `equals`: it
 * holds without any value, and with several values only if none is equal.
 */
export function holds(operator: Operator, found: Iterable<unknown>, value: unknown): boolean {
  if (operator === 'exists') return someOf(found, () => true) === (value ?? true)
  if (operator === 'not_equals' || operator === 'neq') return !someOf(found, (actual) => same(actual, value))
  return someOf(found, comparison(operator, value))
}

function someOf(found: Iterable<unknown>, test: (value: unknown) => boolean): boolean {
  for (const value of found) if (test(value)) return true
  return false
}

function comparison(operator: Operator, value: unknown): (actual: unknown) => boolean {
  switch (operator) {
    case 'equals':
    case 'eq':
      return (actual) => same(actual, value)
    case 'contains':
      return (actual) =>
        Array.isArray(actual)
          ? actual.some((element) => same(element, value))
          : isScalar(actual) && String(actual).includes(String(value))
    case 'regex': {
      const pattern = compilePattern(String(value))
      return (actual) => isScalar(actual) && pattern.test(String(actual))
    }
    case 'in':
      return (actual) => Array.isArray(value) && value.some((element) => same(actual, element))
    case 'greater_than':
      return ordering(numberOf, value, (a, b) => a > b)
    case 'greater_or_equal':
      return ordering(numberOf, value, (a, b) => a >= b)
    case 'less_than':
      return ordering(numberOf, value, (a, b) => a < b)
    case 'less_or_equal':
      return ordering(numberOf, value, (a, b) => a <= b)
    case 'after':
      return ordering(momentOf, value, (a, b) => a > b)
    case 'before':
      return ordering(momentOf, value, (a, b) => a < b)
    default:
      return () => false
  }
}

/** Scalars are equal if their texts are equal, because headers have only text and senders write 5 or "5". */
function same(actual: unknown, value: unknown): boolean {
  return isScalar(actual) && isScalar(value) ? `${actual}` === `${value}` : isDeepStrictEqual(actual, value)
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function ordering(
  read: (value: unknown) => number | null,
  value: unknown,
  test: (a: number, b: number) => boolean,
): (actual: unknown) => boolean {
  const bound = read(value)
  return (actual) => {
    const number = read(actual)
    return number !== null && bound !== null && test(number, bound)
  }
}
