import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3'
import { costOf, costProblem } from './json-path-cost.ts'
import { Work } from './work.ts'

/**
 * RFC 9535, as far as its work grows with the document and no faster: whoever writes the path may not be trusted, nor
 * whoever writes the document. `match` and `search` would run on the engine that backtracks; `regex` is the operator.
 */
const environment = new JSONPathEnvironment()
environment.functionRegister.delete('match')
environment.functionRegister.delete('search')

const MAX_FOUND = 1000
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
 * large or nested too deeply for it, and then this throws, as it does once the work is spent.
 */
export function valuesAt(path: string, document: unknown, work = new Work()): unknown[] {
  const values: unknown[] = []
  const compiledPath = query(path)
  work.spend(costOf(compiledPath, document) ?? compiledPath.segments.length)
  for (const node of compiledPath.lazyQuery(document as never)) {
    values.push(node.value)
    if (values.length === MAX_FOUND) break
  }
  return values
}

function query(path: string): JSONPathQuery {
  const known = compiled.get(path)
  if (known) return known
  if (compiled.size >= REMEMBERED) compiled.clear()
  const made = environment.compile(path)
  compiled.set(path, made)
  return made
}
