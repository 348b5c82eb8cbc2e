/** The status tree and the names in it. Pure: no clock, no database. */

export interface TreeItem {
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

/** `Shop / Checkout / Payments`, from the names of an item's ancestors. */
export function hierarchyPath(item: { id: number }, byId: Map<number, TreeItem & { name: string }>): string {
  const names: string[] = []
  const seen = new Set<number>()
  for (let next = byId.get(item.id); next && !seen.has(next.id); ) {
    seen.add(next.id)
    names.unshift(next.name)
    next = next.parent_id === null ? undefined : byId.get(next.parent_id)
  }
  return names.join(' / ')
}

/** Each item's status: the worst of what holds it down itself and of its children. */
export function treeStatuses(
  items: TreeItem[],
  own: Map<number, string[]>,
  worst: (statuses: string[]) => string,
): Map<number, string> {
  const children = new Map<number, number[]>()
  for (const item of items) {
    if (item.parent_id === null) continue
    children.set(item.parent_id, [...(children.get(item.parent_id) ?? []), item.id])
  }
  const result = new Map<number, string>()
  const visit = (id: number): string => {
    const known = result.get(id)
    if (known !== undefined) return known
    const below = (children.get(id) ?? []).map(visit)
    const status = worst([...(own.get(id) ?? []), ...below])
    result.set(id, status)
    return status
  }
  for (const item of items) visit(item.id)
  return result
}
