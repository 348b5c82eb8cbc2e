import type { EntityManager } from '@mikro-orm/postgresql'
import type { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import type { Reading } from '../translations/languages.ts'
import { translationsOf, type Words, wordsFor } from '../translations/read.ts'
import { hierarchyPath } from './rules.ts'

export type Paths = (item: { id: number }) => string

/** The paths of these items, read in one query. */
export async function pathsOf(tx: EntityManager, items: { id: number }[]): Promise<Paths> {
  const byId = await withAncestors(
    tx,
    items.map((item) => item.id),
  )
  return (item) => hierarchyPath(item, byId)
}

export type Ancestors = Awaited<ReturnType<typeof withAncestors>>

/** Presents these items in the language of a reader, with two queries. */
export async function summariesIn(tx: EntityManager, items: { id: number }[], reading: Reading) {
  const ancestors = await withAncestors(
    tx,
    items.map(({ id }) => id),
  )
  const words = await wordsFor(tx, reading, { item: [...ancestors.values()] })
  return { words, summaryOf: summaryPresenter(ancestors, words) }
}

/** Presents items with their translated names and paths. `ancestors` includes the items. */
export function summaryPresenter(ancestors: Ancestors, words: Words) {
  const nameOf = ({ id, name }: { id: number; name: string }) => words('item', id).name ?? name
  const named = new Map([...ancestors].map(([id, item]) => [id, { ...item, name: nameOf(item) }]))
  const path: Paths = (item) => hierarchyPath(item, named)
  return (item: ItemWords) => ({ ...presentItemSummary(item, path), name: nameOf(item) })
}

type ItemWords = Pick<HierarchyItem, 'id' | 'name' | 'slug' | 'depth' | 'status' | 'abbreviated_name'> & {
  /** Absent on an item that was read as one that is not archived. */
  archived_at?: Date | null
}

export const presentItemSummary = (item: ItemWords, path: Paths) => ({
  ...presentCore(item, path),
  ...(item.archived_at && { archived: true as const }),
})

function presentCore(item: ItemWords, path: Paths) {
  return {
    id: item.id,
    name: item.name,
    slug: item.slug,
    depth: item.depth,
    status: item.status,
    abbreviated_name: item.abbreviated_name ?? undefined,
    hierarchy_path: path(item),
  }
}

export function presentItem(item: HierarchyItem, path: Paths) {
  return {
    ...presentCore(item, path),
    display_order: item.display_order,
    parent_id: item.parent_id ?? undefined,
    description: item.description ?? undefined,
    external_id: item.external_id ?? undefined,
    metadata: item.metadata ?? undefined,
    start_date: item.start_date.toISOString(),
    archived_at: item.archived_at?.toISOString() ?? null,
    status_override: presentOverride(item),
    version: item.version,
    created_at: item.created_at.toISOString(),
    updated_at: item.updated_at.toISOString(),
  }
}

/** Items for admins, with their paths and translations. */
export async function presentItems(tx: EntityManager, items: HierarchyItem[]) {
  // The query for paths bypasses the ORM, which may hold a changed name.
  await tx.flush()
  const path = await pathsOf(tx, items)
  const translations = await translationsOf(tx, { item: items })
  return items.map((item) => ({ ...presentItem(item, path), translations: translations('item', item.id) }))
}

function presentOverride({ override_status, override_reason, override_until }: HierarchyItem) {
  if (override_status === null) return undefined
  return { status: override_status, reason: override_reason ?? '', until: override_until?.toISOString() ?? null }
}
