import { z } from 'zod'
import type { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { shiftSubtree } from '../../persistence/hierarchy.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { trackRevision } from '../kernel/revise.ts'
import { id, version } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { lastPosition, readTree, requirePosition } from './position.ts'
import { presentItems } from './presenter.ts'
import { parentOf, requireItem } from './references.ts'
import { placeProblem, treeProblem } from './rules.ts'
import { HierarchyItemResource, ItemRef } from './schema.ts'
import { recomputeStatuses } from './statuses.ts'
import { itemSubject } from './subject.ts'

const depth = () => z.int().min(1).max(20)

interface Wanted {
  depth?: number
  parent_id?: number | null
}

/** Makes an item the last of its new siblings. Returns by how many levels its descendants still have to move. */
export async function place(ctx: Context, item: HierarchyItem, wanted: Wanted): Promise<number> {
  if (item.archived_at) {
    throw new Problem(
      'conflict',
      `The item ${named(item.name, item.id)} is archived: restore the item first, with "archived": false.`,
    )
  }
  const { parent_id, depth } = await requirePosition(ctx, item.id, wanted)
  const by = depth - item.depth
  if (parent_id !== item.parent_id) item.display_order = await lastPosition(ctx.tx, parent_id)
  Object.assign(item, { parent_id, depth })
  return by
}

/** Moves the descendants of a moved item, and recomputes the statuses of the old and the new parents. */
export async function settle(ctx: Context, item: HierarchyItem, by: number): Promise<void> {
  await ctx.tx.flush()
  if (by !== 0) await shiftSubtree(ctx.tx, item.id, by, ctx.now)
  await recomputeStatuses(ctx.tx, { pageId: ctx.page.id, now: ctx.now, cause: { kind: 'item', id: item.id } })
}

export const moveItem = operation({
  name: 'items.move',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Move an item with its descendants',
  description: 'The item becomes the last of its new siblings. An archived item must be restored first.',
  subject: itemSubject,
  input: z.strictObject({
    depth: depth().describe('The depth of the parent plus 1, or 1 without a parent'),
    parent_id: id().nullable().optional(),
    parent: ItemRef.nullable()
      .optional()
      .describe('Names the parent, alone or with `parent_id`: both must name the same item'),
    version: version().optional(),
  }),
  output: HierarchyItemResource,
  run: async (ctx, { depth: level, ...request }, item) => {
    const revised = trackRevision(ctx, itemSubject, item)
    const parent_id = await parentOf(ctx, request)
    const by = await place(ctx, item, { depth: level, parent_id })
    if (revised()) await settle(ctx, item, by)
    return (await presentItems(ctx.tx, [item]))[0]!
  },
})

export const validateHierarchy = operation({
  name: 'hierarchy.validate',
  area: 'hierarchy',
  permission: 'read',
  summary: 'Check the whole tree, or a move without making it',
  input: z.strictObject({
    item_id: id().optional(),
    item: ItemRef.optional().describe('Names the item, alone or with `item_id`: both must name the same item'),
    depth: depth().optional(),
    parent_id: id().nullable().optional(),
    parent: ItemRef.nullable()
      .optional()
      .describe('Names the parent, alone or with `parent_id`: both must name the same item'),
  }),
  output: z
    .strictObject({ valid: z.boolean(), error: z.string().optional(), message: z.string() })
    .meta({ id: 'HierarchyValidation' }),
  run: async (ctx, { depth: level, ...request }) => {
    const fields = { id: 'item_id', ref: 'item' }
    const item_id = request.item
      ? (await requireItem(ctx.tx, { id: request.item_id, ref: request.item }, fields)).id
      : request.item_id
    const parent_id = (await parentOf(ctx, request)) ?? null
    const { items, levels } = await readTree(ctx)
    if (item_id !== undefined && !items.has(item_id)) {
      return { valid: false, error: 'unknown_item', message: `there is no item with id ${item_id} on this page` }
    }
    const asked = item_id !== undefined || level !== undefined || parent_id !== null
    const natural = parent_id === null ? 1 : (items.get(parent_id)?.depth ?? 0) + 1
    const problem = asked
      ? placeProblem(items, levels, item_id, { depth: level ?? natural, parent_id })
      : treeProblem(items, levels)
    if (problem) return { valid: false, error: problem.error, message: problem.message }
    return {
      valid: true,
      message: asked ? 'The position is valid.' : `The positions of all ${items.size} items are valid.`,
    }
  },
})
