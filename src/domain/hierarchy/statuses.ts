import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { lockStatuses, openImpacts } from '../../persistence/hierarchy.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { worst } from '../vocabulary/rules.ts'
import { treeStatuses } from './rules.ts'

/** Brings the stored status of every item in line with what holds items down. Call it after the impacts are written. */
export async function recomputeStatuses(tx: EntityManager, pageId: number, now: Date): Promise<void> {
  await tx.flush()
  await lockStatuses(tx, pageId)
  const types = await statusTypes(tx)
  const held = await openImpacts(tx)
  const items = await tx.findAll(HierarchyItem)
  const own = new Map<number, string[]>()
  for (const { item_id, status } of held) own.set(item_id, [...(own.get(item_id) ?? []), status])
  const statuses = treeStatuses(items, own, (list) => worst(types, list))
  for (const item of items) {
    const status = statuses.get(item.id)
    if (status === undefined || status === item.status) continue
    item.status = status
    item.updated_at = now
    item.version += 1
  }
}
