/** The status tree and the names in it. Pure: no clock, no database. */

interface TreeItem {
  id: number
  parent_id: number | null
}

export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 90)
    .replace(/-+$/, '')
  return slug || 'item'
}

/** The first of `slug`, `slug-2`, `slug-3` that is free. */
export function freeSlug(slug: string, taken: Set<string>): string {
  if (!taken.has(slug)) return slug
  let n = 2
  while (taken.has(`${slug}-${n}`)) n += 1
  return `${slug}-${n}`
}

type Named = TreeItem & { name: string }

/** The names from the top of the tree down to the item. */
function chainOf(id: number, byId: Map<number, Named>): string[] {
  const names: string[] = []
  const seen = new Set<number>()
  for (let next = byId.get(id); next && !seen.has(next.id); ) {
    seen.add(next.id)
    names.unshift(next.name)
    next = next.parent_id === null ? undefined : byId.get(next.parent_id)
  }
  return names
}

/** `Shop / Checkout / Payments`, from the names of an item's ancestors. */
export const hierarchyPath = (item: { id: number }, byId: Map<number, Named>): string =>
  chainOf(item.id, byId).join(' / ')

/** The names of the items and their parents at each depth, from the top, each name once. */
export function levelNames(ids: number[], byId: Map<number, Named>): string[][] {
  const chains = ids.map((id) => chainOf(id, byId))
  const depth = Math.max(0, ...chains.map((chain) => chain.length))
  return Array.from({ length: depth }, (_, level) => [...new Set(chains.flatMap((chain) => chain[level] ?? []))])
}

interface StatusItem extends TreeItem {
  override_status: string | null
}

/** The status of each item: its override, or else the worst of its own impacts and its children. */
export function treeStatuses<T extends StatusItem>(
  items: T[],
  own: (item: T) => string[],
  worst: (statuses: string[]) => string,
): Map<number, string> {
  const children = Map.groupBy(items, (item) => item.parent_id)
  const result = new Map<number, string>()
  const visit = (item: T): string => {
    const known = result.get(item.id)
    if (known !== undefined) return known
    const below = (children.get(item.id) ?? []).map(visit)
    const status = item.override_status ?? worst([...own(item), ...below])
    result.set(item.id, status)
    return status
  }
  for (const item of items) visit(item)
  return result
}

export interface PlacedItem extends TreeItem {
  depth: number
}

export interface Place {
  depth: number
  parent_id: number | null
}

export interface PlaceProblem {
  error: 'unknown_parent' | 'depth_mismatch' | 'no_level' | 'cycle' | 'unknown_item'
  field: 'parent_id' | 'depth' | 'item_id'
  message: string
}

/** Why an item cannot have this position with its descendants. A new item has no id and no descendants. */
export function placeProblem(
  items: Map<number, PlacedItem>,
  levels: number[],
  itemId: number | undefined,
  { depth, parent_id }: Place,
): PlaceProblem | undefined {
  const parent = parent_id === null ? undefined : items.get(parent_id)
  if (parent_id !== null && !parent) {
    return {
      error: 'unknown_parent',
      field: 'parent_id',
      message: `there is no item with id ${parent_id} on this page`,
    }
  }
  if (itemId !== undefined && isBelow(items, parent_id, itemId)) {
    return { error: 'cycle', field: 'parent_id', message: 'an item cannot be its own descendant' }
  }
  const natural = parent ? parent.depth + 1 : 1
  if (depth !== natural) {
    const why = parent ? `the parent has depth ${parent.depth}` : 'the item has no parent'
    return { error: 'depth_mismatch', field: 'depth', message: `must be ${natural}, because ${why}` }
  }
  const deepest = depth + (itemId === undefined ? 0 : heightBelow(items, itemId))
  const missing = range(depth, deepest).find((level) => !levels.includes(level))
  if (missing !== undefined) {
    return { error: 'no_level', field: 'depth', message: `this page has no level at depth ${missing}` }
  }
  return undefined
}

/** Whether `id` is `ancestor` or a descendant of it. */
function isBelow(items: Map<number, TreeItem>, id: number | null, ancestor: number): boolean {
  const seen = new Set<number>()
  for (let next = id; next !== null && !seen.has(next); next = items.get(next)?.parent_id ?? null) {
    if (next === ancestor) return true
    // The check of the whole tree reports a cycle; this loop must end.
    seen.add(next)
  }
  return false
}

function heightBelow(items: Map<number, PlacedItem>, id: number): number {
  const top = items.get(id)?.depth ?? 0
  let height = 0
  for (const item of items.values()) if (isBelow(items, item.id, id)) height = Math.max(height, item.depth - top)
  return height
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_one, index) => from + index)
}

/** The first problem of a whole tree. */
export function treeProblem(items: Map<number, PlacedItem>, levels: number[]): PlaceProblem | undefined {
  for (const { id, parent_id, depth } of items.values()) {
    const problem = placeProblem(items, levels, undefined, { depth, parent_id })
    if (problem) return { ...problem, message: `item ${id}: ${problem.message}` }
    if (isBelow(items, parent_id, id))
      return { error: 'cycle', field: 'parent_id', message: `item ${id} is its own descendant` }
  }
  return undefined
}
