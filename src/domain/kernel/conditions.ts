import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isFound, patternProblem } from './patterns.ts'
import { text } from './schema.ts'
import { TooCostly, Work } from './work.ts'

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
 * Conditions that are looked at together share what they may do. One that takes more does not hold, and then `work` is spent.
 */
export function holds(operator: Operator, found: readonly unknown[], value: unknown, work = new Work()): boolean {
  try {
    return isMet(operator, found, value, work)
  } catch (error) {
    if (error instanceof TooCostly) return false
    throw error
  }
}

function isMet(operator: Operator, found: readonly unknown[], value: unknown, work: Work): boolean {
  work.spend(1)
  if (operator === 'exists') return found.length > 0 === (value ?? true)
  if (operator === 'not_equals' || operator === 'neq') return !found.some((actual) => same(actual, value, work))
  return found.some((actual) => compare(operator, actual, value, work))
}

function compare(operator: Operator, actual: unknown, value: unknown, work: Work): boolean {
  work.spend(READING)
  switch (operator) {
    case 'equals':
    case 'eq':
      return same(actual, value, work)
    case 'contains':
      if (Array.isArray(actual)) return actual.some((element) => same(element, value, work))
      return isScalar(actual) && includes(String(actual), String(value), work)
    case 'regex':
      return isScalar(actual) && isFound(String(value), String(actual), work)
    case 'in':
      return Array.isArray(value) && value.some((element) => same(actual, element, work))
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

/** In steps: comparing scalars; reading a number or a moment, or comparing what may hold others. */
const COMPARING = 2
const READING = 50

/** Headers know only text, and senders differ on whether 5 is "5": scalars are the same if they read the same. */
function same(actual: unknown, value: unknown, work: Work): boolean {
  const scalars = isScalar(actual) && isScalar(value)
  work.spend(typeof actual === 'object' ? READING : COMPARING)
  return scalars ? `${actual}` === `${value}` : isDeepStrictEqual(actual, value)
}

/** At worst each character of the one is compared with each of the other, so many within a step. */
const COMPARED = 150

function includes(actual: string, value: string, work: Work): boolean {
  work.spend((actual.length * value.length) / COMPARED)
  return actual.includes(value)
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

/** No number or moment is as long, and to find out that a long text is none would take its length squared. */
const LONGEST = 100

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return isShort(value) && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null
}

/** Seconds of this size lie past the year 5000; milliseconds of it in 1973. */
const SECONDS_BELOW = 1e11

/** ISO 8601 with an offset, or the seconds or milliseconds since 1970 that many senders write. */
function momentOf(value: unknown): number | null {
  if (isShort(value) && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) {
    const moment = Date.parse(value)
    return Number.isNaN(moment) ? null : moment
  }
  const number = numberOf(value)
  return number === null || Math.abs(number) >= SECONDS_BELOW ? number : number * 1000
}
