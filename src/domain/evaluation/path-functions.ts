import { type FilterFunction, FunctionExpressionType } from 'json-p3'
import { RE2JS } from 're2js'
import { boundedCache } from './bounded-cache.ts'
import { partsOf, patternBoundProblem } from './pattern-rules.ts'

/** `match` and `search` of RFC 9535, on an engine whose time is linear. A pattern beyond the bounds matches nothing. */

/** A dot of I-Regexp (RFC 9485) also excludes the carriage return. Escapes and classes stay as they are. */
const withDots = (pattern: string): string =>
  pattern.replace(/\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\\\]])*\]|\./gsu, (part) => (part === '.' ? '[^\\n\\r]' : part))

function compiled(pattern: string): RE2JS | null {
  if (pattern !== '' && patternBoundProblem(pattern) !== null) return null
  try {
    return RE2JS.compile(withDots(pattern))
  } catch {
    return null
  }
}

/** In parts of patterns. */
const MOST_CACHED = 20_000

const compile = boundedCache(MOST_CACHED, (pattern) => {
  const value = compiled(pattern)
  return { value, cost: value ? partsOf(pattern) + 10 : pattern.length }
})

const test = (holds: (pattern: RE2JS, text: string) => boolean): FilterFunction => ({
  argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.LogicalType,
  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false
    const re = compile(pattern)
    return re !== null && holds(re, text)
  },
})

export const pathFunctions: Record<'match' | 'search', FilterFunction> = {
  match: test((pattern, text) => pattern.testExact(text)),
  search: test((pattern, text) => pattern.test(text)),
}
