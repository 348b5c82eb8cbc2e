import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentRows } from '../../persistence/components.ts'
import { operation } from '../kernel/operation.ts'
import { type Reading, readingIn } from '../translations/languages.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { summariesIn } from './presenter.ts'
import { HierarchyItemSummary } from './schema.ts'

export const PublicComponent = HierarchyItemSummary.omit({ archived: true })
  .extend({
    parent_id: z.int().optional(),
    description: z.string().optional(),
    display_order: z.int(),
  })
  .meta({ id: 'PublicComponent' })

export const listComponents = operation({
  name: 'public.components.list',
  area: 'hierarchy',
  permission: 'public',
  summary: 'List the components of the page with their statuses, level by level in display order',
  description: languageInWords,
  input: z.strictObject(readIn),
  output: z.strictObject({ components: z.array(PublicComponent), total: z.int() }),
  run: async ({ tx }, { locale }) => {
    const components = await presentComponents(tx, await readingIn(tx, locale))
    return { components, total: components.length }
  },
})

export async function presentComponents(tx: EntityManager, reading: Reading) {
  const items = await componentRows(tx)
  const { words, summaryOf } = await summariesIn(tx, items, reading)
  return items.map((item) => ({
    ...summaryOf(item),
    parent_id: item.parent_id ?? undefined,
    description: words('item', item.id).description ?? item.description ?? undefined,
    display_order: item.display_order,
  }))
}
