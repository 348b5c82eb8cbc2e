import type { EntityManager } from '@mikro-orm/postgresql'
import { type BranchRow, factsOfBranches, lockBranches } from '../../persistence/branches.ts'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { changeStatuses, heldItems, lockStatuses, type StatusRow, statusRows } from '../../persistence/hierarchy.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { MAINTENANCE, operationalStatus, worst } from '../vocabulary/rules.ts'
import { treeStatuses } from './rules.ts'

interface Why {
  pageId: number
  now: Date
  /** What changed: `{ kind: 'incident', id: 17 }`. */
  cause: { kind: string; id: number | null }
  /** Since when it is so, for what is reported later than it happened. */
  since?: Date
  /** `false`: no notification event says that a status changed. */
  notify?: boolean
  /** What it is about, if that is a few items only: then nothing else is looked at but what stands above them. */
  items?: number[]
}

/**
 * Brings the stored status of every item in line with what holds items down, and writes a status event for each that
 * moves. Call it after what changed is written.
 */
export async function recomputeStatuses(tx: EntityManager, why: Why): Promise<void> {
  const { pageId, now, cause, since = now, notify = true } = why
  await tx.flush()
  const { types, held, items } = await factsOf(tx, why)
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
  await readAgain(
    tx,
    moved.map((item) => item.id),
  )
}

async function factsOf(tx: EntityManager, { pageId, now, items: ids }: Why) {
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

/** The statement went past the ORM, which would go on showing those items that it has loaded as they were. */
export async function readAgain(tx: EntityManager, ids: number[]): Promise<void> {
  const loaded = ids.filter((id) => tx.getUnitOfWork().getById(HierarchyItem, id))
  if (loaded.length > 0) await tx.find(HierarchyItem, { id: { $in: loaded } }, { refresh: true })
}
