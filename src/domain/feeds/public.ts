import { z } from 'zod'
import { itemSubject } from '../hierarchy/subject.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { requireBuiltIn } from '../readers/built-in-feeds.ts'
import { scopedItems } from '../readers/scope.ts'
import { readingIn } from '../translations/languages.ts'
import { wordsFor } from '../translations/read.ts'
import { itemsOfFeed } from './feed-items.ts'
import { feedOf } from './read-feed.ts'
import { feedSubject } from './subject.ts'
import { FeedView } from './view-schema.ts'

const entries = z
  .enum(['updates', 'incidents'])
  .default('updates')
  .describe('One entry for each update, or for each incident and each maintenance')
const format = z.enum(['rss', 'atom'])

export const feedInput = z.strictObject({ format, locale: z.string().optional(), entries })

export const getPageFeed = operation({
  name: 'public.feed',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the feed of the page',
  input: feedInput,
  output: FeedView,
  run: async (ctx, { format: asked, locale, entries: shape }) => {
    await requireBuiltIn(ctx.tx, asked)
    const feed = { kind: 'page', id: ctx.page.id, path: '/' }
    return feedOf(ctx, { feed, items: null, locale, perUpdate: shape === 'updates' })
  },
})

export const getItemFeed = operation({
  name: 'public.item_feed',
  area: 'hierarchy',
  permission: 'public',
  summary: 'Get all data of the feed of an item with what is below it',
  subject: itemSubject,
  input: feedInput,
  output: FeedView,
  run: async (ctx, { format: asked, locale, entries: shape }, { id, name }) => {
    const { tx } = ctx
    await requireBuiltIn(tx, asked)
    const items = await scopedItems(tx, [id], true)
    // An archived item is in no scope.
    if (items.size === 0) throw notFound('item')
    const words = await wordsFor(tx, await readingIn(tx, locale), { item: [{ id }] })
    const feed = { kind: 'item', id, name: words('item', id).name ?? name, path: `/items/${id}` }
    return feedOf(ctx, { feed, items, locale, perUpdate: shape === 'updates' })
  },
})

export const getCustomFeed = operation({
  name: 'public.custom_feed',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of a feed that administrators made',
  subject: feedSubject,
  input: z.strictObject({ format, asked_locale: z.string().optional(), entries }),
  output: FeedView,
  run: async (ctx, { format: asked, asked_locale, entries: shape }, feed) => {
    if (!feed.enabled || feed.built_in || feed.format !== asked) throw notFound('feed')
    return feedOf(ctx, {
      feed: { kind: 'feed', id: feed.id, name: feed.name, path: '/' },
      items: await itemsOfFeed(ctx, feed),
      locale: asked_locale ?? feed.locale ?? undefined,
      perUpdate: shape === 'updates',
      kinds: feed.kinds.map((kind) => (kind === 'incidents' ? 'incident' : 'maintenance')),
      stageIds: feed.lifecycle_stage_ids,
    })
  },
})
