import { z } from 'zod'
import { itemSubject } from '../hierarchy/subject.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { scopedItems } from '../readers/scope.ts'
import { readingIn } from '../translations/languages.ts'
import { wordsFor } from '../translations/read.ts'
import { feedOf } from './read-feed.ts'
import { FeedView } from './view-schema.ts'

export const feedInput = z.strictObject({
  locale: z.string().optional(),
  entries: z
    .enum(['updates', 'incidents'])
    .default('updates')
    .describe('One entry for each update, or for each incident and each maintenance'),
})

export const getPageFeed = operation({
  name: 'public.feed',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the feed of the page',
  input: feedInput,
  output: FeedView,
  run: (ctx, { locale, entries }) =>
    feedOf(ctx, {
      feed: { kind: 'page', id: ctx.page.id, path: '/' },
      items: null,
      locale,
      perUpdate: entries === 'updates',
    }),
})

export const getItemFeed = operation({
  name: 'public.item_feed',
  area: 'hierarchy',
  permission: 'public',
  summary: 'Get all data of the feed of an item with what is below it',
  subject: itemSubject,
  input: feedInput,
  output: FeedView,
  run: async (ctx, { locale, entries }, item) => {
    const { tx } = ctx
    const items = await scopedItems(tx, [item.id], true)
    // An archived item is in no scope.
    if (items.size === 0) throw notFound('item')
    const words = await wordsFor(tx, await readingIn(tx, locale), { item: [item] })
    return feedOf(ctx, {
      feed: { kind: 'item', id: item.id, name: words('item', item.id).name ?? item.name, path: `/items/${item.id}` },
      items,
      locale,
      perUpdate: entries === 'updates',
    })
  },
})
