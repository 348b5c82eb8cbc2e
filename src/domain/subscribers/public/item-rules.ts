interface Item {
  id: number
  parent_id: number | null
}

/** Each item before what is below it. Siblings keep their order. */
export function inTreeOrder<T extends Item>(items: T[]): T[] {
  const known = new Set(items.map(({ id }) => id))
  const below = Map.groupBy(items, ({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null))
  const branch = (parent: number | null): T[] => (below.get(parent) ?? []).flatMap((item) => [item, ...branch(item.id)])
  return branch(null)
}
