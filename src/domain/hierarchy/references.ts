import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { type FieldError, invalid } from '../kernel/errors.ts'
import type { ItemRef } from './schema.ts'

/**
 * The items that references name, each once and in their order. All fields of a reference must name one existing item. Items
 * that the record has already, `kept` by id, may be archived; deleted ones are left out.
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

/** The names of the fields that name one item by its id and by a reference. */
interface NamedBy {
  id: string
  ref: string
}

/** The item that a request names by its id, by a reference, or by both. */
export async function requireItem(tx: EntityManager, request: Named<ItemRef>, fields: NamedBy): Promise<HierarchyItem> {
  const { id, ref } = request
  if (ref === undefined) {
    if (id === undefined || id === null) {
      throw invalid([{ path: fields.id, message: `is required without \`${fields.ref}\`` }])
    }
    return (await find(tx, [{ id }], () => fields.id, []))[0]!
  }
  const item = (await find(tx, [ref], () => fields.ref, []))[0]!
  if (id !== undefined && id !== item.id) throw disagree(fields, id, item.id)
  return item
}

/** Like `requireItem`, but null names no item, as for the parent of a top item; undefined without both fields. */
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

/** The parent that a request names: null for the top, undefined without the fields. */
export const parentOf = (
  { tx }: { tx: EntityManager },
  { parent_id, parent }: { parent_id?: number | null; parent?: ItemRef | null },
) => itemIdOf(tx, { id: parent_id, ref: parent }, { id: 'parent_id', ref: 'parent' })

const disagree = ({ id, ref }: NamedBy, requested: number | null, named: number | null) =>
  invalid([
    { path: ref, message: `names ${named === null ? 'no item' : `the item ${named}`}, but ${id} is ${requested}` },
  ])

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
  pairs(item, ref).some(([requested, stored]) => requested !== undefined && requested === stored)
const matchesAll = (item: HierarchyItem, ref: ItemRef) =>
  pairs(item, ref).every(([requested, stored]) => requested === undefined || requested === stored)
