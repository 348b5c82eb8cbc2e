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

/** In steps, for each value that a segment may look at. */
const DESCENT = 80
const CHILD = 40
const PART_OF_FILTER = 10
/** Where no names have to be gathered: for an element of a list, or for one name in a value. */
const SINGLE = 8
/** The library keeps the whole way to each value, and copies it for each segment. */
const LEVEL = 0.5

/** How many steps a path takes at most, as far as it looks at several values; null if it looks at none but its own. */
export function costOf(path: JSONPathQuery, document: unknown): number | null {
  const { environment, segments } = path
  const leading = segments.findIndex((segment) => !isSingle(segment))
  if (leading === -1) return null
  const begin = new JSONPathQuery(environment, segments.slice(0, leading)).match(document as never)?.value
  const rest = segments.slice(leading)
  const ways = rest.map((_, index) => (leading + index + 1) * LEVEL)
  return leading + (isList(rest) ? ofList(begin, ways) : ofTree(rest, begin, ways, document))
}

/** All of one value, and of each of these the same: they are no more than that has parts, however much is in them. */
const isList = ([first, ...others]: Segment[]) => first?.toString() === '[*]' && others.every(isSingle)

function ofList(list: unknown, ways: number[]): number {
  if (typeof list !== 'object' || list === null) return 1
  const parts = Array.isArray(list) ? list.length : Object.keys(list).length
  if (parts > MAX_VALUES) throw tooMany()
  const named = Array.isArray(list) ? 0 : CHILD - SINGLE
  return parts * ways.reduce((sum, way) => sum + SINGLE + way, named)
}

function ofTree(segments: Segment[], begin: unknown, ways: number[], document: unknown): number {
  const roots = segments.flatMap(filtersOf).flatMap(rootsOf)
  // What each is compared with may be large where these are few.
  const values = valuesIn(roots.length > 0 ? document : begin)
  if (values > MAX_VALUES) throw tooMany()
  const compared = roots.map((root) => sizeOf(root.match(document as never)?.value))
  const each = segments.map((segment, index) => {
    const parts = filtersOf(segment).flatMap(partsOf)
    return (descends(segment) ? DESCENT : CHILD) + (ways[index] ?? 0) + parts.length * PART_OF_FILTER
  })
  // A value stands at one depth, so only one of the segments before a descent looks at it.
  const descent = segments.findIndex(descends)
  const before = descent === -1 ? each : each.slice(0, descent)
  const costs = [Math.max(0, ...before), ...each.slice(before.length), ...compared]
  return values * costs.reduce((sum, cost) => sum + cost, 0)
}

const tooMany = () => new Error('the document holds too many values')

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
const isSingle = (segment: Segment) => new JSONPathQuery(segment.environment, [segment]).singularQuery()
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
