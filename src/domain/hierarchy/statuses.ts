import type { EntityManager } from '@mikro-orm/postgresql'
import { type BranchRow, factsOfBranches, lockBranches } from '../../persistence/branches.ts'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { changeStatuses, heldItems, lockStatuses, type StatusRow, statusRows } from '../../persistence/hierarchy.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { MAINTENANCE, operationalStatus, worst } from '../vocabulary/rules.ts'
import { treeStatuses } from './rules.ts'

interface Recomputation {
  pageId: number
  now: Date
  /** The cause of the status events: `{ kind: 'incident', id: 17 }`. */
  cause: { kind: string; id: number | null }
  /** The time of the change, if it lies in the past. */
  since?: Date
  /** `false`: no notifications. */
  notify?: boolean
  /** The changed items; then only their branches of the tree are read. */
  items?: number[]
}

/** Recomputes the stored statuses of items and writes a status event for each new status. Expects the change to be written. */
export async function recomputeStatuses(tx: EntityManager, recomputation: Recomputation): Promise<void> {
  const { pageId, now, cause, since = now, notify = true } = recomputation
  await tx.flush()
  const { types, held, items } = await factsOf(tx, recomputation)
  const own = Map.groupBy(held, (one) => one.item_id)
  const statuses = treeStatuses(
    items,
    (item) => (item.sibling ? [item.status] : (own.get(item.id) ?? []).map((one) => one.status)),
    (list) => worst(types, list),
  )
  const moved = items.flatMap(({ id, status, sibling }) => {
    const next = statuses.get(id)
    return sibling || next === undefined || next === status ? [] : [{ id, status: next }]
  })
  if (moved.length === 0) return
  const first = operationalStatus(types)
  await changeStatuses(tx, { pageId, now, since, cause, statuses: moved, first, notify })
  await refreshLoaded(
    tx,
    moved.map((item) => item.id),
  )
}

async function factsOf(tx: EntityManager, { pageId, now, items: ids }: Recomputation) {
  if (ids) {
    const branches = await lockBranches(tx, pageId, ids)
    return factsOfBranches(tx, { pageId, ids: branches, now, inMaintenance: MAINTENANCE })
  }
  await lockStatuses(tx, pageId)
  const types = await statusTypes(tx)
  const held = await heldItems(tx, MAINTENANCE)
  const items: (StatusRow & Partial<BranchRow>)[] = await statusRows(tx, now)
  return { types, held, items }
}

/** Refreshes loaded items after a statement that bypassed the ORM. */
export async function refreshLoaded(tx: EntityManager, ids: number[]): Promise<void> {
  const loaded = ids.filter((id) => tx.getUnitOfWork().getById(HierarchyItem, id))
  if (loaded.length > 0) await tx.find(HierarchyItem, { id: { $in: loaded } }, { refresh: true })
}
