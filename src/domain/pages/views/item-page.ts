import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentRows } from '../../../persistence/components.ts'
import { RemovedStatusEvent } from '../../../persistence/entities/removed-status-event.ts'
import { StatusEvent } from '../../../persistence/entities/status-event.ts'
import { summariesIn } from '../../hierarchy/presenter.ts'
import { HierarchyItemSummary } from '../../hierarchy/schema.ts'
import { itemSubject } from '../../hierarchy/subject.ts'
import { notFound } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { momentOut } from '../../kernel/schema.ts'
import { historyOf, PageHistory } from '../../uptime/page-history.ts'
import { Happened, happenedIn } from './happened.ts'
import { SiteView, siteOf } from './site.ts'
import { translatedIn } from './translated.ts'

const Link = HierarchyItemSummary

const ItemPage = SiteView.extend({
  item: HierarchyItemSummary.extend({ description: z.string().optional() }),
  ancestors: z.array(Link).describe('From the top'),
  children: z.array(Link),
  history: PageHistory,
  happened: Happened,
  corrections: z
    .array(
      z.strictObject({
        status: z.string(),
        event_time: momentOut().nullable().describe('Null: the event was removed'),
        original_event_time: momentOut(),
        corrected_at: momentOut(),
      }),
    )
    .describe('Status events within the history that were moved or removed afterwards, the last correction first'),
})
export type ItemPage = z.output<typeof ItemPage>

export const getItemPage = operation({
  name: 'public.item_page',
  area: 'hierarchy',
  permission: 'public',
  summary: 'Get all data of the page of an item',
  subject: itemSubject,
  input: z.strictObject({ locale: z.string().optional() }),
  output: ItemPage,
  run: async (ctx, { locale }, { id }) => {
    const { tx, now } = ctx
    const { site, reading, settings } = await siteOf(ctx, locale)
    const rows = await componentRows(tx)
    const row = rows.find((one) => one.id === id)
    if (!row) throw notFound('item')
    const { words, summaryOf: summary } = await summariesIn(tx, rows, reading)
    const parentOf = ({ parent_id }: typeof row) => rows.find((one) => one.id === parent_id)
    const ancestors: (typeof row)[] = []
    for (let above = parentOf(row); above; above = parentOf(above)) ancestors.unshift(above)
    const history = await historyOf(tx, now, {
      days: settings.homepage_history_bars_days,
      reading,
      only: new Set([id]),
    })
    return {
      ...site,
      translated: { ...site.translated, ...(await translatedIn(tx, reading, { items: rows })) },
      item: { ...summary(row), description: words('item', id).description ?? row.description ?? undefined },
      ancestors: ancestors.map(summary),
      children: rows.filter(({ parent_id }) => parent_id === id).map(summary),
      history,
      happened: await happenedIn(tx, reading, history),
      corrections: await correctionsOf(tx, id, new Date(history.start_time)),
    }
  },
})

const CORRECTIONS_AT_MOST = 50

async function correctionsOf(tx: EntityManager, item_id: number, since: Date) {
  const within = { $gte: since }
  const limit = CORRECTIONS_AT_MOST
  const moved = await tx.find(
    StatusEvent,
    { item_id, corrected_at: { $ne: null }, $or: [{ event_time: within }, { original_event_time: within }] },
    { orderBy: { corrected_at: 'desc', id: 'desc' }, limit },
  )
  const removed = await tx.find(
    RemovedStatusEvent,
    { item_id, event_time: within },
    { orderBy: { removed_at: 'desc', id: 'desc' }, limit },
  )
  return [
    ...moved.map(({ status, event_time, original_event_time, corrected_at }) => ({
      ...{ status, event_time: event_time.toISOString(), original_event_time: original_event_time.toISOString() },
      corrected_at: corrected_at!.toISOString(),
    })),
    ...removed.map(({ status, event_time, removed_at }) => ({
      ...{ status, event_time: null, original_event_time: event_time.toISOString() },
      corrected_at: removed_at.toISOString(),
    })),
  ]
    .sort((a, b) => b.corrected_at.localeCompare(a.corrected_at))
    .slice(0, limit)
}
