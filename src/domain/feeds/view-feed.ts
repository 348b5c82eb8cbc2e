import { operation } from '../kernel/operation.ts'
import { requireBuiltIn } from '../readers/built-in-feeds.ts'
import { offeredView, viewCode } from '../views/access.ts'
import { itemsOfView } from '../views/items.ts'
import { feedInput } from './public.ts'
import { feedOf } from './read-feed.ts'
import { FeedView } from './view-schema.ts'

export const getViewFeed = operation({
  name: 'public.view_feed',
  area: 'audience',
  permission: 'public',
  summary: 'Get all data of the feed of a custom view',
  input: feedInput.extend(viewCode),
  output: FeedView,
  run: async (ctx, { format, view_code, locale, entries }) => {
    await requireBuiltIn(ctx.tx, format)
    const view = await offeredView(ctx, view_code)
    return feedOf(ctx, {
      feed: { kind: 'view', id: view.id, name: view.name, path: `/v/${view.alias ?? view.short_code}` },
      items: await itemsOfView(ctx.tx, view),
      locale,
      perUpdate: entries === 'updates',
    })
  },
})
