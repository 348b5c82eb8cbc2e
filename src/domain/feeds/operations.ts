import { z } from 'zod'
import { Feed } from '../../persistence/entities/feed.ts'
import { assignDefined } from '../kernel/assign.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { newestFirst } from '../kernel/newest-first.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete, view } from '../kernel/schema.ts'
import { requireLocale, requireStages, scopeIn } from './checks.ts'
import { presentFeeds, presentFullFeeds } from './presenter.ts'
import { FeedCreateRequest, FeedResource, type FeedScope, FeedUpdateRequest } from './schema.ts'
import { feedSubject as subject } from './subject.ts'

const area = 'audience' as const

export const listFeeds = operation({
  name: 'feeds.list',
  area,
  permission: 'read',
  summary: 'List the feeds and calendars of the page, newest first',
  description:
    'The page has three built-in feeds. The feeds of items and views, such as `/items/{id}/feed.rss`, are no records: they are on as long as the built-in feed of their format is enabled, and their readers count for that feed.',
  input: z.strictObject({ view, ...pagingFields }),
  output: listOf('feeds', FeedResource),
  run: async (ctx, { view: how, ...asked }) => {
    const { rows, ...found } = await newestFirst(ctx.tx, Feed, asked)
    const present = how === 'full' ? presentFullFeeds : presentFeeds
    return { feeds: await present(ctx, rows), ...found }
  },
})

export const getFeed = operation({
  name: 'feeds.get',
  area,
  permission: 'read',
  summary: 'Get a feed or a calendar',
  subject,
  input: z.strictObject({}),
  output: FeedResource,
  run: async (ctx, _input, feed) => (await presentFullFeeds(ctx, [feed]))[0]!,
})

export const createFeed = operation({
  name: 'feeds.create',
  makes: 'feed',
  area,
  permission: 'admin',
  summary: 'Create a feed or a calendar of a part of the page',
  description: 'Everyone who may read the page may read the feed at its `url`.',
  input: FeedCreateRequest,
  output: FeedResource,
  run: async (ctx, { scope, kinds, ...fields }) => {
    const { tx, page, now } = ctx
    await requireStages(tx, fields.lifecycle_stage_ids)
    await requireLocale(tx, fields.locale)
    const shown = kinds ?? (fields.format === 'ics' ? ['maintenances'] : ['incidents', 'maintenances'])
    requireCalendar({ ...fields, kinds: shown })
    const feed = tx.create(Feed, {
      ...fields,
      ...columnsOf(await scopeIn(tx, scope)),
      ...{ page_id: page.id, kinds: shown, built_in: false, version: 1, created_at: now, updated_at: now },
    })
    await tx.flush()
    return (await presentFullFeeds(ctx, [feed]))[0]!
  },
})

export const updateFeed = operation({
  name: 'feeds.update',
  area,
  permission: 'admin',
  summary: 'Change a feed or a calendar',
  description:
    'Of a built-in feed, `name`, `managers` and `enabled` can be changed. Another format means another address of the feed. No change gives an entry another id.',
  subject,
  input: FeedUpdateRequest,
  output: FeedResource,
  run: async (ctx, { scope, ...input }, feed) => {
    const { tx } = ctx
    const revise = trackRevision(ctx, subject, feed)
    const fixed = fixedOf(feed)
    const { name, format, locale, lifecycle_stage_ids, kinds, managers, enabled } = input
    const changed = scope && (await scopeIn(tx, scope, feed))
    if (lifecycle_stage_ids) await requireStages(tx, lifecycle_stage_ids, feed)
    await requireLocale(tx, locale, feed)
    assignDefined(feed, { name, format, locale, lifecycle_stage_ids, kinds, managers, enabled })
    if (changed) assignDefined(feed, columnsOf(changed))
    if (feed.built_in) requireUnchanged(feed, fixed)
    requireCalendar(feed)
    revise()
    return (await presentFullFeeds(ctx, [feed]))[0]!
  },
})

export const deleteFeed = operation({
  name: 'feeds.delete',
  area,
  permission: 'admin',
  summary: 'Delete a feed or a calendar',
  description: 'A built-in feed cannot be deleted; it can be disabled.',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async ({ tx }, _input, feed) => {
    if (feed.built_in) {
      throw new Problem(
        'conflict',
        `The feed "${feed.name}" (${feed.id}) is built in and cannot be deleted. It can be disabled.`,
      )
    }
    tx.remove(feed)
    return { message: `The feed "${feed.name}" is deleted.` }
  },
})

function columnsOf(scope: FeedScope) {
  return {
    scope_kind: scope.kind,
    item_ids: scope.kind === 'items' ? [...new Set(scope.item_ids)] : [],
    include_descendants: scope.kind === 'items' ? scope.include_descendants : true,
    view_id: scope.kind === 'view' ? scope.view_id : null,
  }
}

/** The fields of a built-in feed that never change. */
const fixedOf = ({ format, locale, lifecycle_stage_ids, kinds, scope_kind }: Feed) =>
  Object.entries({ format, locale, lifecycle_stage_ids, kinds, scope: scope_kind }).map(
    ([path, value]) => [path, JSON.stringify(value)] as const,
  )

function requireUnchanged(feed: Feed, before: ReturnType<typeof fixedOf>): void {
  const now = fixedOf(feed)
  const errors = before
    .filter(([, value], index) => now[index]![1] !== value)
    .map(([path]) => ({ path, message: `cannot be changed: the feed "${feed.name}" (${feed.id}) is built in` }))
  if (errors.length > 0) throw invalid(errors)
}

type Filters = Pick<Feed, 'format' | 'kinds' | 'lifecycle_stage_ids'>

/** A calendar has maintenances, and series, which have no stages. */
function requireCalendar({ format, kinds, lifecycle_stage_ids: stages }: Filters): void {
  if (format !== 'ics') return
  if (stages.length > 0) throw invalid([{ path: 'lifecycle_stage_ids', message: 'must be empty for the format ics' }])
  if (!kinds.includes('incidents')) return
  throw invalid([
    { path: 'kinds', message: 'must be ["maintenances"] for the format ics: a calendar has no incidents' },
  ])
}
