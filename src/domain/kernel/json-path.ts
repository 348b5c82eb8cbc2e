import { JSONPathEnvironment, JSONPathQuery } from 'json-p3'

/**
 * RFC 9535, as far as its work grows with the document and no faster: whoever writes the path may not be trusted, nor
 * whoever writes the document. `match` and `search` would run on the engine that backtracks; `regex` is the operator.
 */
const environment = new JSONPathEnvironment()
environment.functionRegister.delete('match')
environment.functionRegister.delete('search')

const MAX_FOUND = 1000
/** A path that looks at many values takes some 5 µs for each, and the event loop waits for it. */
const MAX_LOOKED_AT = 20_000
const REMEMBERED = 500
const compiled = new Map<string, JSONPathQuery>()

/** What is wrong with a path, in words for its author; null when nothing is. */
export function jsonPathProblem(path: string): string | null {
  try {
    return costProblem(environment.compile(path))
  } catch (error) {
    return `is not a JSON path such as $.data.status (${(error as Error).message})`
  }
}

/**
 * The values that a path finds, in document order, up to a thousand. The path has no problem; the document may be too
 * large or nested too deeply for it, and then this throws.
 */
export function valuesAt(path: string, document: unknown): unknown[] {
  const values: unknown[] = []
  const compiledPath = query(path)
  if (!compiledPath.singularQuery() && holdsMore(document)) throw new Error('the document holds too many values')
  for (const node of compiledPath.lazyQuery(document as never)) {
    values.push(node.value)
    if (values.length === MAX_FOUND) break
  }
  return values
}

function holdsMore(document: unknown): boolean {
  const inside = [document]
  let seen = 0
  for (let value = inside.pop(); value !== undefined; value = inside.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const values = Object.values(value)
    seen += values.length
    if (seen > MAX_LOOKED_AT) return true
    inside.push(...values)
  }
  return false
}

function query(path: string): JSONPathQuery {
  const known = compiled.get(path)
  if (known) return known
  if (compiled.size >= REMEMBERED) compiled.clear()
  const made = environment.compile(path)
  compiled.set(path, made)
  return made
}

function costProblem({ segments }: JSONPathQuery): string | null {
  if (segments.some(({ selectors }) => selectors.length > 1)) return 'may hold one selector in each pair of brackets'
  if (segments.filter((segment) => segment.toString().startsWith('..')).length > 1) return 'may descend with .. once'
  const filters = segments.flatMap(({ selectors }) => selectors.filter((selector) => 'expression' in selector))
  return filters.every(looksAtSingleValues) ? null : 'may look at single values in a filter, such as @.name'
}

/** The library does not export its expressions, so they are walked as what they are: objects that hold objects. */
function looksAtSingleValues(expression: unknown): boolean {
  if (expression instanceof JSONPathQuery) return expression.singularQuery()
  if (Array.isArray(expression)) return expression.every(looksAtSingleValues)
  if (typeof expression !== 'object' || expression === null) return true
  const { environment: _, token: __, ...inside } = expression as Record<string, unknown>
  return Object.values(inside).every(looksAtSingleValues)
}
