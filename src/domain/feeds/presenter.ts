import { componentRows } from '../../persistence/components.ts'
import type { Feed } from '../../persistence/entities/feed.ts'
import { readersSince } from '../../persistence/feed-readers.ts'
import { summariesIn } from '../hierarchy/presenter.ts'
import type { Context } from '../kernel/context.ts'
import { mayDo } from '../kernel/permissions.ts'
import { pageUrl } from '../pages/rules.ts'
import { inOriginal } from '../translations/languages.ts'
import { allStages } from '../vocabulary/lookup.ts'
import { presentStage } from '../vocabulary/presenter.ts'
import { READERS_FOR_MS } from './reader-rules.ts'
import type { FeedScope } from './schema.ts'

export function scopeOf({ scope_kind, item_ids, include_descendants, view_id }: Feed): FeedScope {
  if (scope_kind === 'items') return { kind: scope_kind, item_ids, include_descendants }
  return scope_kind === 'view' ? { kind: scope_kind, view_id: view_id! } : { kind: scope_kind }
}

export async function presentFeeds(ctx: Context, feeds: Feed[]) {
  const { tx, now } = ctx
  const ids = feeds.map(({ id }) => id)
  const readers = await readersSince(tx, ids, new Date(now.getTime() - READERS_FOR_MS))
  const base = pageUrl(ctx.page, ctx.services)
  return feeds.map((feed) => ({
    id: feed.id,
    name: feed.name,
    format: feed.format,
    scope: scopeOf(feed),
    locale: feed.locale,
    url: base + pathOf(feed),
    readers_7d: readers.get(feed.id) ?? 0,
    enabled: feed.enabled,
    built_in: feed.built_in,
    version: feed.version,
  }))
}

/** Feeds with their filters. Managers are people, whose addresses only administrators of the audience read. */
export async function presentFullFeeds(ctx: Context, feeds: Feed[]) {
  const { tx, actor } = ctx
  const compact = await presentFeeds(ctx, feeds)
  const rows = new Map((await componentRows(tx)).map((row) => [row.id, row]))
  const { summaryOf } = await summariesIn(tx, [...rows.values()], inOriginal)
  const stages = new Map((await allStages(tx)).map((stage) => [stage.id, presentStage(stage)]))
  const mayReadAddresses = actor.kind !== 'anonymous' && mayDo(actor, 'audience', 'admin')
  return feeds.map((feed, index) => ({
    ...compact[index]!,
    lifecycle_stage_ids: feed.lifecycle_stage_ids,
    lifecycle_stages: feed.lifecycle_stage_ids.flatMap((id) => stages.get(id) ?? []),
    kinds: feed.kinds,
    ...(feed.scope_kind === 'items'
      ? { items: feed.item_ids.flatMap((id) => (rows.has(id) ? [summaryOf(rows.get(id)!)] : [])) }
      : {}),
    ...(mayReadAddresses ? { managers: feed.managers } : {}),
    created_at: feed.created_at.toISOString(),
    updated_at: feed.updated_at.toISOString(),
  }))
}

function pathOf({ id, format, built_in }: Feed): string {
  if (!built_in) return `/feeds/${id}.${format}`
  return format === 'ics' ? '/calendar.ics' : `/feed.${format}`
}
