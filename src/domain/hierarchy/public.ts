import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { operation } from '../kernel/operation.ts'
import { pathsOf, presentItemSummary } from './presenter.ts'
import { HierarchyItemSummary } from './schema.ts'

const PublicComponent = HierarchyItemSummary.extend({
  parent_id: z.int().optional(),
  description: z.string().optional(),
  display_order: z.int(),
}).meta({ id: 'PublicComponent' })

export const listComponents = operation({
  name: 'public.components.list',
  area: 'hierarchy',
  permission: 'public',
  summary: 'List the components of the page with their statuses, level by level in display order',
  input: z.strictObject({}),
  output: z.strictObject({ components: z.array(PublicComponent), total: z.int() }),
  run: async ({ tx }) => {
    const orderBy = [{ depth: 'asc' as const }, { display_order: 'asc' as const }, { id: 'asc' as const }]
    const items = await tx.find(HierarchyItem, { archived_at: null }, { orderBy })
    const path = await pathsOf(tx, items)
    const components = items.map((item) => ({
      ...presentItemSummary(item, path),
      parent_id: item.parent_id ?? undefined,
      description: item.description ?? undefined,
      display_order: item.display_order,
    }))
    return { components, total: components.length }
  },
})
