import type { EntityManager } from '@mikro-orm/postgresql'
import { componentRows } from '../../persistence/components.ts'
import { withBelow } from './narrow-rules.ts'

/** The items that readers of these items see. Archived items are in no scope. */
export async function scopedItems(
  tx: EntityManager,
  ids: number[],
  includeDescendants: boolean,
): Promise<ReadonlySet<number>> {
  const rows = await componentRows(tx)
  const present = new Set(rows.map(({ id }) => id))
  const named = ids.filter((id) => present.has(id))
  return includeDescendants ? withBelow(rows, named) : new Set(named)
}
