import { z } from 'zod'
import { AccessLink } from '../../../persistence/entities/access-link.ts'
import { Page } from '../../../persistence/entities/page.ts'
import { publishedStamp } from '../../../persistence/translations.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { stateOf } from '../summary/state-rules.ts'
import { versionOf } from './contents-rules.ts'
import { currentView } from './home.ts'

/** Who may read the page, as the database has it now. */
const Readable = z.strictObject({
  id: z.int(),
  visibility: z.enum(['public', 'private']),
  viewer_auth_mode: z.enum(['none', 'password']),
  viewer_session_key: z.string(),
  access_links: z.array(z.strictObject({ id: z.int(), hash: z.string(), expires_at: z.string() })),
})

/** The kinds of records with translations whose version is not in the contents. */
const KINDS = ['item', 'status_type', 'lifecycle_stage', 'settings']

/** The version of what readers see, for streams. A changed translation of an incident or a maintenance raises its version. */
export const getPageContents = operation({
  name: 'public.contents',
  area: 'incidents',
  permission: 'public',
  summary: 'Get the version of the page',
  input: z.strictObject({}),
  output: z.strictObject({ version: z.string(), readable: Readable }),
  run: async (ctx) => {
    const { view } = await currentView(ctx, undefined)
    const { items, status_types, open_incidents, open_total, resolved_incidents } = view
    const { active_maintenances, upcoming_maintenances } = view
    const { name, slug, original_language, date_locale, settings } = view
    return {
      version: versionOf({
        page: {
          name,
          slug,
          original_language,
          date_locale,
          settings,
          translations: await publishedStamp(ctx.tx, KINDS),
        },
        status: stateOf(view),
        current_activity: [withItemIds(open_incidents), open_total, withItemIds(active_maintenances)],
        components: { items, status_types },
        upcoming_maintenance: withItemIds(upcoming_maintenances),
        past_incidents: withItemIds(resolved_incidents),
      }),
      readable: await readableOf(ctx),
    }
  },
})

async function readableOf({ tx, page, now }: Context) {
  const { id, visibility, viewer_auth_mode, viewer_session_key } = await tx.findOneOrFail(Page, { id: page.id })
  const links = await tx.find(AccessLink, { expires_at: { $gt: now } })
  const access_links = links.map((link) => ({
    id: link.id,
    hash: link.hash,
    expires_at: link.expires_at.toISOString(),
  }))
  return { id, visibility, viewer_auth_mode, viewer_session_key, access_links }
}

/** The items are a section of their own: a new status of an item changes no record that names the item. */
const withItemIds = (records: { affected_items?: { id: number }[] }[]) =>
  records.map(({ affected_items = [], ...record }) => ({
    ...record,
    affected_items: affected_items.map(({ id }) => id),
  }))
