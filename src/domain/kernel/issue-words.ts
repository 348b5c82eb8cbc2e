import type { z } from 'zod'

/** The message of a schema issue for clients. Replaces the messages of the library, and keeps the messages of our schemas. */
export function inWords(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (isMissing && isAboutType(issue)) {
    const isChoice = issue.code === 'invalid_value' && issue.values.length > 1 && isPlain(issue)
    return isChoice ? `is required: ${oneOf(issue.values)}` : 'is required'
  }
  if (!isPlain(issue)) return issue.message
  if (issue.code === 'too_small') return bound(issue.origin, 'least', Number(issue.minimum), issue.inclusive ?? true)
  if (issue.code === 'too_big') return bound(issue.origin, 'most', Number(issue.maximum), issue.inclusive ?? true)
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values)}`
  return issue.message
}

/** Whether the message is about the type of a value, such as that a text must be ISO 8601. An absent value has no type. */
const isAboutType = (issue: z.core.$ZodIssue) =>
  isPlain(issue) || (ofType.has(issue.code) && !issue.message.includes('required'))
const ofType = new Set<z.core.$ZodIssue['code']>(['invalid_type', 'invalid_union', 'invalid_value', 'invalid_format'])

/** Whether the message comes from the library. */
const isPlain = ({ message }: z.core.$ZodIssue) => /^(Too (small|big): |Invalid (input|option): )/.test(message)

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
}

function bound(origin: string, side: 'least' | 'most', limit: number, inclusive: boolean): string {
  const unit = units[origin]
  if (unit) return `must hold at ${side} ${limit} ${unit[limit === 1 ? 0 : 1]}`
  if (inclusive) return `must be at ${side} ${limit}`
  return `must be ${side === 'least' ? 'more' : 'less'} than ${limit}`
}

/** `one of "a", "b"`, for use after "must be". */
export function oneOf(values: readonly unknown[]): string {
  const named = values.map((value) => JSON.stringify(value))
  return named.length < 2 ? named.join('') : `one of ${named.join(', ')}`
}
