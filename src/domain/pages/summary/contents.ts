import { z } from 'zod'
import { Page } from '../../../persistence/entities/page.ts'
import { operation } from '../../kernel/operation.ts'
import { currentView } from '../views/home.ts'
import { versionOf } from './contents-rules.ts'
import { stateOf } from './state-rules.ts'

/** The version of what readers see, for streams. A changed translation raises the version of its record. */
export const getPageContents = operation({
  name: 'public.contents',
  area: 'incidents',
  permission: 'public',
  summary: 'Get the version of the page',
  input: z.strictObject({}),
  output: z.strictObject({ version: z.string(), is_private: z.boolean() }),
  run: async (ctx) => {
    const { visibility } = await ctx.tx.findOneOrFail(Page, { id: ctx.page.id })
    const { view } = await currentView(ctx, undefined)
    const { items, status_types, open_incidents, open_total, resolved_incidents } = view
    const { active_maintenances, upcoming_maintenances } = view
    const { name, slug, original_language, date_locale, primary_message, settings } = view
    return {
      version: versionOf({
        page: { name, slug, original_language, date_locale, primary_message, settings },
        status: stateOf(view),
        current_activity: [withItemIds(open_incidents), open_total, withItemIds(active_maintenances)],
        components: { items, status_types },
        upcoming_maintenance: withItemIds(upcoming_maintenances),
        past_incidents: withItemIds(resolved_incidents),
      }),
      is_private: visibility === 'private',
    }
  },
})

/** The items are a section of their own: a new status of an item changes no record that names the item. */
const withItemIds = (records: { affected_items?: { id: number }[] }[]) =>
  records.map(({ affected_items = [], ...record }) => ({
    ...record,
    affected_items: affected_items.map(({ id }) => id),
  }))
