import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { HierarchyLevel } from '../../persistence/entities/hierarchy-level.ts'
import { lockTree, placeRows } from '../../persistence/hierarchy.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { type Place, placeProblem } from './rules.ts'

export async function readTree({ tx }: Pick<Context, 'tx'>) {
  const items = await placeRows(tx)
  const levels = await tx.findAll(HierarchyLevel)
  return { items, levels: levels.map((level) => level.depth) }
}

/** Locks the tree for the transaction and returns the position that a request names; refuses an invalid position. */
export async function requirePosition(
  ctx: Context,
  itemId: number | undefined,
  wanted: { depth?: number; parent_id?: number | null },
): Promise<Place> {
  await lockTree(ctx.tx, ctx.page.id)
  const { items, levels } = await readTree(ctx)
  const parent_id = wanted.parent_id ?? null
  const above = parent_id === null ? undefined : items.get(parent_id)
  const place = { parent_id, depth: wanted.depth ?? (above ? above.depth + 1 : 1) }
  const problem = placeProblem(items, levels, itemId, place)
  if (problem) throw invalid([{ path: problem.field, message: problem.message }])
  return place
}

const LAST_ORDER = 1_000_000

/** The display order behind the last child of this parent. */
export async function lastPosition(tx: EntityManager, parent_id: number | null): Promise<number> {
  const last = await tx.findOne(
    HierarchyItem,
    { parent_id },
    { orderBy: { display_order: 'desc' }, fields: ['display_order'] },
  )
  return Math.min((last?.display_order ?? 0) + 1, LAST_ORDER)
}
