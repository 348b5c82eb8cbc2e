import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { containsText } from '../translations/search.ts'
import { requireStatusFilter, statusTypes } from '../vocabulary/lookup.ts'
import { pathsOf, presentItem, presentItems } from './presenter.ts'
import { HierarchyItemResource } from './schema.ts'

const queryId = () => z.coerce.number().int().min(1).max(2_147_483_647)

export const listItems = operation({
  name: 'items.list',
  area: 'hierarchy',
  permission: 'read',
  summary: 'List hierarchy items, level by level in display order',
  input: z.strictObject({
    parent_id: queryId().optional().describe('Only the children of this item'),
    depth: queryId().optional().describe('Only this level'),
    status: z.string().max(50).optional(),
    search: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only items whose name, or its published translation, contains this text'),
    archived: z.stringbool().default(false).describe('`true` for archived items'),
    view: z
      .enum(['compact', 'full'])
      .default('full')
      .describe('`compact` leaves out `description`, `metadata` and `translations`'),
    ...pagingFields,
  }),
  output: listOf('items', HierarchyItemResource),
  run: async ({ tx }, { limit, cursor, search, archived, view, ...fields }) => {
    if (fields.status !== undefined) requireStatusFilter(await statusTypes(tx), fields.status)
    const after = decodeCursor(cursor, z.tuple([cursorKeys.order, cursorKeys.order, cursorKeys.id]))
    const only: FilterQuery<HierarchyItem> = {
      ...fields,
      archived_at: archived ? { $ne: null } : null,
      ...(search === undefined ? {} : containsText('item', ['name'], search, true)),
    }
    const rows = await tx.find(HierarchyItem, after ? { $and: [only, behind(after)] } : only, {
      orderBy: [{ depth: 'asc' }, { display_order: 'asc' }, { id: 'asc' }],
      limit: limit + 1,
    })
    const total = await tx.count(HierarchyItem, only)
    const page = pageOf(rows, limit, (item) => [item.depth, item.display_order, item.id])
    const items = view === 'full' ? await presentItems(tx, page.rows) : await presentCompact(tx, page.rows)
    return { items, total, next_cursor: page.next_cursor }
  },
})

async function presentCompact(tx: EntityManager, rows: HierarchyItem[]) {
  const path = await pathsOf(tx, rows)
  return rows.map((item) => ({ ...presentItem(item, path), description: undefined, metadata: undefined }))
}

function behind([depth, display_order, id]: [number, number, number]): FilterQuery<HierarchyItem> {
  return {
    $or: [
      { depth: { $gt: depth } },
      { depth, display_order: { $gt: display_order } },
      { depth, display_order, id: { $gt: id } },
    ],
  }
}
