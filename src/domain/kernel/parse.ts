import type { z } from 'zod'
import { type FieldError, invalid } from './errors.ts'
import { isLater } from './schema.ts'

/** Checks a value against a schema, and says in the contract's words what is wrong with it. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.flatMap((issue) => explain(issue, schema)))
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: !path && isLater(schema, key) ? 'is not accepted yet' : 'is not a field of this request',
    }))
  }
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return [{ path, message: missing ? 'is required' : issue.message }]
}
