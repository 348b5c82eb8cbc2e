import type { z } from 'zod'
import { type FieldError, invalid } from './errors.ts'
import { inWords } from './issue-words.ts'
import { SET_BY_SERVICE } from './read-only.ts'
import { isLater, isSetByService } from './schema.ts'

/** Parses a value with a schema; throws the problems of each field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.flatMap((issue) => explain(issue, schema, value)))
}

const NO_FIELD = 'is not a field of this request'

function refusalOf(schema: z.ZodType, name: string): string {
  if (isLater(schema, name)) return 'is not accepted yet'
  return isSetByService(schema, name) ? SET_BY_SERVICE : NO_FIELD
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: path ? NO_FIELD : refusalOf(schema, key),
    }))
  }
  return [{ path, message: inWords(issue, valueAt(value, issue.path) === undefined) }]
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((whole, key) => (whole as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
