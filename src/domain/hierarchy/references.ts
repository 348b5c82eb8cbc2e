import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { type FieldError, invalid } from '../kernel/errors.ts'
import type { ItemRef } from './schema.ts'

/**
 * The items that references name, each once and in their order. What a reference says must agree, and must exist. Those
 * that the record has already, `kept` by their ids, may be in the archive by now, or gone: these are passed over.
 */
export async function resolveItems(
  tx: EntityManager,
  refs: ItemRef[],
  field: string,
  kept: number[] = [],
): Promise<HierarchyItem[]> {
  return find(tx, refs, (index) => `${field}.${index}`, kept)
}

interface Named<R> {
  id?: number | null
  ref?: R
}

/** What the fields of a request are called that name one item: by its id, and by a reference. */
interface NamedBy {
  id: string
  ref: string
}

/** The item that a request names by its id, by a reference, or by both, which must agree. */
export async function requireItem(tx: EntityManager, said: Named<ItemRef>, fields: NamedBy): Promise<HierarchyItem> {
  const { id, ref } = said
  if (ref === undefined) {
    if (id === undefined || id === null) {
      throw invalid([{ path: fields.id, message: `is required, unless \`${fields.ref}\` names the item` }])
    }
    return (await find(tx, [{ id }], () => fields.id, []))[0]!
  }
  const item = (await find(tx, [ref], () => fields.ref, []))[0]!
  if (id !== undefined && id !== item.id) throw disagree(fields, id, item.id)
  return item
}

/** The same where null names no item, as for the parent of an item at the top; absent where neither field is there. */
async function itemIdOf(
  tx: EntityManager,
  { id, ref }: Named<ItemRef | null>,
  fields: NamedBy,
): Promise<number | null | undefined> {
  if (ref === undefined) return id
  if (ref !== null) return (await requireItem(tx, { id, ref }, fields)).id
  if (typeof id === 'number') throw disagree(fields, id, null)
  return null
}

/** The parent that a request names; null for the top, absent where the request does not say. */
export const parentOf = (
  { tx }: { tx: EntityManager },
  { parent_id, parent }: { parent_id?: number | null; parent?: ItemRef | null },
) => itemIdOf(tx, { id: parent_id, ref: parent }, { id: 'parent_id', ref: 'parent' })

const disagree = ({ id, ref }: NamedBy, said: number | null, named: number | null) =>
  invalid([{ path: ref, message: `names ${named === null ? 'no item' : `the item ${named}`}, but ${id} is ${said}` }])

async function find(tx: EntityManager, refs: ItemRef[], pathOf: (index: number) => string, kept: number[]) {
  if (refs.length === 0) return []
  const named = <T>(values: (T | undefined)[]) => values.filter((value) => value !== undefined)
  const items = await tx.find(HierarchyItem, {
    $and: [
      kept.length > 0 ? { $or: [{ archived_at: null }, { id: { $in: kept } }] } : { archived_at: null },
      {
        $or: [
          { id: { $in: named(refs.map((ref) => ref.id)) } },
          { slug: { $in: named(refs.map((ref) => ref.slug)) } },
          { external_id: { $in: named(refs.map((ref) => ref.external_id)) } },
        ],
      },
    ],
  })
  const errors: FieldError[] = []
  const found = new Map<number, HierarchyItem>()
  refs.forEach((ref, index) => {
    const candidates = items.filter((item) => matchesAny(item, ref))
    const item = candidates.find((candidate) => matchesAll(candidate, ref))
    if (item) {
      found.set(item.id, item)
      return
    }
    const isGone = ref.id !== undefined && kept.includes(ref.id) && !items.some(({ id }) => id === ref.id)
    if (isGone) return
    const words = named([
      ref.id && `id ${ref.id}`,
      ref.slug && `slug "${ref.slug}"`,
      ref.external_id && `external_id "${ref.external_id}"`,
    ])
    errors.push({
      path: pathOf(index),
      message:
        candidates.length > 0
          ? `${words.join(' and ')} do not name the same item`
          : `there is no item with ${words.join(' and ')} on this page`,
    })
  })
  if (errors.length > 0) throw invalid(errors)
  return [...found.values()]
}

const pairs = (item: HierarchyItem, ref: ItemRef) => [
  [ref.id, item.id],
  [ref.slug, item.slug],
  [ref.external_id, item.external_id],
]

const matchesAny = (item: HierarchyItem, ref: ItemRef) =>
  pairs(item, ref).some(([said, is]) => said !== undefined && said === is)
const matchesAll = (item: HierarchyItem, ref: ItemRef) =>
  pairs(item, ref).every(([said, is]) => said === undefined || said === is)
