import type { z } from 'zod'
import { type FieldError, invalid } from './errors.ts'

/** Checks a value against a schema, and says in the contract's words what is wrong with it. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.flatMap(explain))
}

function explain(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: 'is not a field of this request',
    }))
  }
  return [{ path, message: issue.message }]
}
