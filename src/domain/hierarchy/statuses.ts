import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { changeStatuses, heldItems, lockStatuses, statusRows } from '../../persistence/hierarchy.ts'
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
}

/**
 * Brings the stored status of every item in line with what holds items down, and writes a status event for each that
 * moves. Call it after what changed is written.
 */
export async function recomputeStatuses(tx: EntityManager, { pageId, now, cause, since = now }: Why): Promise<void> {
  await tx.flush()
  await lockStatuses(tx, pageId)
  const types = await statusTypes(tx)
  const held = await heldItems(tx, MAINTENANCE)
  const items = await statusRows(tx, now)
  const own = Map.groupBy(held, (one) => one.item_id)
  const statuses = treeStatuses(
    items,
    (item) => (own.get(item.id) ?? []).map((one) => one.status),
    (list) => worst(types, list),
  )
  const moved = items.flatMap(({ id, status }) => {
    const next = statuses.get(id)
    return next === undefined || next === status ? [] : [{ id, status: next }]
  })
  if (moved.length === 0) return
  const first = operationalStatus(types)
  await changeStatuses(tx, { pageId, now, since, cause, statuses: moved, first })
  await readAgain(
    tx,
    moved.map((item) => item.id),
  )
}

/** The statement went past the ORM, which would go on showing those items that it has loaded as they were. */
export async function readAgain(tx: EntityManager, ids: number[]): Promise<void> {
  const loaded = ids.filter((id) => tx.getUnitOfWork().getById(HierarchyItem, id))
  if (loaded.length > 0) await tx.find(HierarchyItem, { id: { $in: loaded } }, { refresh: true })
}
