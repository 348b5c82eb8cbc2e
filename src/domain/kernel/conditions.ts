import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import { z } from 'zod'
import { text } from './schema.ts'

/** The operators that assertions of beats and conditions of triggers share. */
export const Operator = z
  .enum([
    'exists',
    'equals',
    'eq',
    'not_equals',
    'neq',
    'contains',
    'regex',
    'in',
    'greater_than',
    'greater_or_equal',
    'less_than',
    'less_or_equal',
    'after',
    'before',
  ])
  .meta({ id: 'ConditionOperator' })
export type Operator = z.infer<typeof Operator>

const Scalar = z.union([text(2000), z.number(), z.boolean(), z.null()])
export const ConditionValue = z.union([Scalar, z.array(Scalar).max(100)], {
  error: 'must be a text, a number, true, false, null, or a list of these',
})

const MAX_PROGRAM = 1000
/**
 * A pattern's time is its size times the text's, and the event loop waits for it: this is a tenth of a second at worst.
 * What people write has a size of 10 to 30, and looks through the first 65,536 to 33,000 characters.
 */
const MAX_WORK = 1_000_000
const MAX_SEARCHED = 65_536
const REMEMBERED = 500
const patterns = new Map<string, RE2JS>()

/** What is wrong with a value for its operator, in words for its author; null when nothing is. */
export function conditionProblem(operator: Operator, value: unknown): string | null {
  switch (operator) {
    case 'exists':
      return value === undefined || typeof value === 'boolean' ? null : 'must be true, false or left out for exists'
    case 'regex':
      return patternProblem(value)
    case 'in':
      return Array.isArray(value) ? null : 'must be a list for in'
    case 'after':
    case 'before':
      return momentOf(value) === null ? `must be a date-time with an offset for ${operator}` : null
    case 'greater_than':
    case 'greater_or_equal':
    case 'less_than':
    case 'less_or_equal':
      return numberOf(value) === null ? `must be a number for ${operator}` : null
    default:
      return value === undefined ? `is needed for ${operator}` : null
  }
}

/**
 * Whether a condition holds for what its path found: nothing, one value or several, of which any suffices.
 * `not_equals` is the opposite of `equals`, so it holds where nothing is found, and only if none of several is equal.
 */
export function holds(operator: Operator, found: readonly unknown[], value: unknown): boolean {
  if (operator === 'exists') return found.length > 0 === (value ?? true)
  if (operator === 'not_equals' || operator === 'neq') return !found.some((actual) => same(actual, value))
  return found.some((actual) => compare(operator, actual, value))
}

function compare(operator: Operator, actual: unknown, value: unknown): boolean {
  switch (operator) {
    case 'equals':
    case 'eq':
      return same(actual, value)
    case 'contains':
      if (Array.isArray(actual)) return actual.some((element) => same(element, value))
      return isScalar(actual) && String(actual).includes(String(value))
    case 'regex':
      return isScalar(actual) && isFound(pattern(String(value)), String(actual))
    case 'in':
      return Array.isArray(value) && value.some((element) => same(actual, element))
    case 'greater_than':
      return both(numberOf, actual, value, (a, b) => a > b)
    case 'greater_or_equal':
      return both(numberOf, actual, value, (a, b) => a >= b)
    case 'less_than':
      return both(numberOf, actual, value, (a, b) => a < b)
    case 'less_or_equal':
      return both(numberOf, actual, value, (a, b) => a <= b)
    case 'after':
      return both(momentOf, actual, value, (a, b) => a > b)
    case 'before':
      return both(momentOf, actual, value, (a, b) => a < b)
    default:
      return false
  }
}

/** Headers know only text, and senders differ on whether 5 is "5": scalars are the same if they read the same. */
function same(actual: unknown, value: unknown): boolean {
  if (isScalar(actual) && isScalar(value)) return String(actual) === String(value)
  return isDeepStrictEqual(actual, value)
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function both(
  read: (value: unknown) => number | null,
  actual: unknown,
  value: unknown,
  test: (a: number, b: number) => boolean,
): boolean {
  const [a, b] = [read(actual), read(value)]
  return a !== null && b !== null && test(a, b)
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null
}

/** Seconds of this size lie past the year 5000; milliseconds of it in 1973. */
const SECONDS_BELOW = 1e11

/** ISO 8601 with an offset, or the seconds or milliseconds since 1970 that many senders write. */
function momentOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) {
    const moment = Date.parse(value)
    return Number.isNaN(moment) ? null : moment
  }
  const number = numberOf(value)
  return number === null || Math.abs(number) >= SECONDS_BELOW ? number : number * 1000
}

function patternProblem(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return 'must be a regular expression for regex'
  if (value.length > 500) return 'may have 500 characters for regex'
  try {
    return RE2JS.compile(value).programSize() > MAX_PROGRAM ? 'repeats too much for regex' : null
  } catch (error) {
    return `is not a regular expression of RE2 (${(error as Error).message})`
  }
}

function isFound(made: RE2JS, text: string): boolean {
  const searched = Math.min(MAX_SEARCHED, Math.floor(MAX_WORK / made.programSize()))
  return made.matcher(text.slice(0, searched)).find()
}

function pattern(source: string): RE2JS {
  const known = patterns.get(source)
  if (known) return known
  if (patterns.size >= REMEMBERED) patterns.clear()
  const made = RE2JS.compile(source)
  patterns.set(source, made)
  return made
}
