/** Records as readers of some items see them. Pure: no clock, no database. */

interface Item {
  id: number
  hierarchy_path?: string | undefined
}

interface Narrowable {
  affected_items?: Item[] | undefined
  affected_items_freetext?: string | undefined
}

/**
 * The record with no other items than those of the scope; undefined if the record affects no item of the scope. The path of an
 * item names its parents, which the scope may not have.
 */
export function narrowed<T extends Narrowable>(record: T, items: ReadonlySet<number>): T | undefined {
  const inside = (record.affected_items ?? []).filter(({ id }) => items.has(id))
  if (inside.length === 0) return undefined
  const { affected_items_freetext: _outside, ...others } = record
  return { ...others, affected_items: inside.map(({ hierarchy_path: _path, ...item }) => item) } as T
}

/** The records of a scope; `items` is null for the whole page. */
export function narrowedAll<T extends Narrowable>(records: T[], items: ReadonlySet<number> | null): T[] {
  if (items === null) return records
  return records.map((record) => narrowed(record, items)).filter((record) => record !== undefined)
}

/** The items of a scope as roots and children: a parent outside the scope is left out. */
export function narrowedItems<T extends { id: number; parent_id?: number | null | undefined }>(
  all: T[],
  items: ReadonlySet<number> | null,
): T[] {
  if (items === null) return all
  return all
    .filter(({ id }) => items.has(id))
    .map((item) => (item.parent_id && !items.has(item.parent_id) ? { ...item, parent_id: undefined } : item))
}

/** The ids with the ids of everything below them. */
export function withBelow(all: { id: number; parent_id?: number | null | undefined }[], ids: number[]): Set<number> {
  const children = Map.groupBy(all, ({ parent_id }) => parent_id ?? 0)
  const found = new Set<number>()
  const visit = (id: number) => {
    if (found.has(id)) return
    found.add(id)
    for (const child of children.get(id) ?? []) visit(child.id)
  }
  for (const id of ids) visit(id)
  return found
}
