import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentRows } from '../../persistence/components.ts'
import { operation } from '../kernel/operation.ts'
import { pathsOf, presentItemSummary } from './presenter.ts'
import { HierarchyItemSummary } from './schema.ts'

export const PublicComponent = HierarchyItemSummary.extend({
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
    const components = await presentComponents(tx)
    return { components, total: components.length }
  },
})

export async function presentComponents(tx: EntityManager) {
  const items = await componentRows(tx)
  const path = await pathsOf(tx, items)
  return items.map((item) => ({
    ...presentItemSummary(item, path),
    parent_id: item.parent_id ?? undefined,
    description: item.description ?? undefined,
    display_order: item.display_order,
  }))
}
