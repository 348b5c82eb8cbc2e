import { JSONPathQuery } from 'json-p3'

/** The library cannot be stopped while it looks for the next value, so what a path takes is reckoned before. */

/** What is wrong with a path whose work could grow faster than the document; null when nothing is. */
export function costProblem({ segments }: JSONPathQuery): string | null {
  if (segments.some(({ selectors }) => selectors.length > 1)) return 'may hold one selector in each pair of brackets'
  if (segments.filter(descends).length > 1) return 'may descend with .. once'
  const queries = segments.flatMap(filtersOf).flatMap((filter) => partsOf(filter).filter(isQuery))
  return queries.every((query) => query.singularQuery())
    ? null
    : 'may look at single values in a filter, such as @.name'
}

/** In steps, for each value of the document. */
const DESCENT = 80
const CHILD = 40
const PART_OF_FILTER = 10

/** How many steps a path takes at most, as far as it looks at several values; null if it looks at none but its own. */
export function costOf(path: JSONPathQuery, document: unknown): number | null {
  if (path.singularQuery()) return null
  const values = valuesIn(document)
  if (values > MAX_VALUES) throw new Error('the document holds too many values')
  return path.segments.reduce((cost, segment) => {
    const filters = filtersOf(segment)
    const parts = filters.flatMap(partsOf)
    const compared = filters.flatMap(rootsOf).map((root) => sizeOf(root.match(document as never)?.value))
    const each = (descends(segment) ? DESCENT : CHILD) + parts.length * PART_OF_FILTER
    return cost + values * compared.reduce((sum, size) => sum + size, each)
  }, 0)
}

/** More are not counted. */
const MAX_VALUES = 20_000

function valuesIn(document: unknown): number {
  const inside = [document]
  let seen = 0
  for (let value = inside.pop(); value !== undefined && seen <= MAX_VALUES; value = inside.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const values = Object.values(value)
    seen += values.length
    if (seen <= MAX_VALUES) inside.push(...values)
  }
  return seen
}

/** To compare texts takes next to nothing. */
const CHARACTERS = 100
const sizeOf = (value: unknown) => (typeof value === 'string' ? value.length / CHARACTERS : valuesIn(value))

type Segment = JSONPathQuery['segments'][number]

const descends = (segment: Segment) => segment.toString().startsWith('..')
const isQuery = (part: unknown) => part instanceof JSONPathQuery
const filtersOf = ({ selectors }: Segment) => selectors.filter((selector) => 'expression' in selector)

/** What a filter compares each value with, of the whole document. */
const rootsOf = (filter: object): JSONPathQuery[] =>
  partsOf(filter).flatMap((part) => {
    const { path } = part as { path?: unknown }
    return isQuery(path) && String(part).startsWith('$') ? [path] : []
  })

/** The library does not export its expressions, so they are walked as what they are: objects that hold objects. */
function partsOf(expression: object): object[] {
  if (isQuery(expression)) return [expression, ...expression.segments]
  const { environment: _, token: __, ...inside } = expression as Record<string, unknown>
  const parts = Object.values(inside).flatMap((part) =>
    typeof part === 'object' && part !== null ? partsOf(part) : [],
  )
  return [expression, ...parts]
}
