import { z } from 'zod'
import { text } from '../kernel/schema.ts'
import { momentOf, numberOf } from './operand-rules.ts'
import { patternBoundProblem } from './pattern-rules.ts'

/** The operators of assertions of beats and of conditions of triggers. */
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

/**
 * The problem of a value for its operator, as a message for its author; null for a valid value. Only the length of a pattern
 * is bounded here; the evaluation thread compiles the pattern.
 */
export function conditionProblem(operator: Operator, value: unknown): string | null {
  switch (operator) {
    case 'exists':
      return value === undefined || typeof value === 'boolean' ? null : 'must be true, false or left out for exists'
    case 'regex':
      return patternBoundProblem(value)
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
