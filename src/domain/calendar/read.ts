import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { itemsOfMaintenances, itemsOfSeries, storedOccurrences } from '../../persistence/calendar.ts'
import { componentRows } from '../../persistence/components.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { itemSubject } from '../hierarchy/subject.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { siteOf } from '../pages/views/site.ts'
import { requireBuiltIn } from '../readers/built-in-feeds.ts'
import { scopedItems } from '../readers/scope.ts'
import { type Reading, readingIn } from '../translations/languages.ts'
import { wordsFor } from '../translations/read.ts'
import { readIn } from '../translations/schema.ts'
import { eventsOf } from './events.ts'
import { CalendarView } from './schema.ts'

const DAY_MS = 86_400_000
/** How long completed and cancelled maintenances remain. */
const REMAINS_MS = 30 * DAY_MS
/** For a page with a flood of maintenances: the latest ones. */
const MOST = 2000

interface Scope {
  /** null: the whole page. */
  items: ReadonlySet<number> | null
  /** What the calendar shows, after the name of the page. */
  title?: string | undefined
  locale: string | undefined
}

/** The maintenances of a scope as the events of a calendar. */
export async function readCalendar(ctx: Context, { items, title, locale }: Scope): Promise<CalendarView> {
  const { tx, now } = ctx
  const { site, reading } = await siteOf(ctx, locale)
  const since = new Date(now.getTime() - REMAINS_MS)
  const remains = { $or: [{ ended_at: null }, { ended_at: { $gte: since } }] }
  const maintenances = await tx.find(Maintenance, remains, { orderBy: { listed_at: 'desc', id: 'desc' }, limit: MOST })
  const series = await tx.find(MaintenanceSeries, {}, { orderBy: { id: 'asc' } })
  const words = await wordsFor(tx, reading, { maintenance: maintenances, maintenance_series: series })
  const nameOf = await itemNames(tx, reading, items)
  const ids = (records: { id: number }[]) => records.map(({ id }) => id)
  const affected = Map.groupBy(await itemsOfMaintenances(tx, ids(maintenances)), ({ id }) => id)
  const ofSeries = Map.groupBy(await itemsOfSeries(tx, ids(series)), ({ id }) => id)
  const stored = Map.groupBy(await storedOccurrences(tx, ids(series)), ({ series_id }) => series_id)
  const shownItems = (rows: { item_id: number }[] = []) => rows.flatMap(({ item_id }) => nameOf(item_id) ?? [])
  const isShown = (names: string[]) => items === null || names.length > 0
  const events = eventsOf({
    since: since.getTime(),
    maintenances: maintenances.map((one) => {
      const names = shownItems(affected.get(one.id))
      return { ...one, ...words('maintenance', one.id), items: names, isShown: isShown(names) }
    }),
    series: series
      .map((one) => ({
        ...{ ...one, ...words('maintenance_series', one.id) },
        ...{ items: shownItems(ofSeries.get(one.id)), occurrences: stored.get(one.id) ?? [] },
      }))
      .filter((one) => isShown(one.items)),
  })
  const name = title === undefined ? site.name : `${site.name}: ${title}`
  return { name, language: reading.language, ...events }
}

/** The names of items of the scope in the language of the reader. */
async function itemNames(tx: EntityManager, reading: Reading, items: Scope['items']) {
  const rows = (await componentRows(tx)).filter(({ id }) => items === null || items.has(id))
  const words = await wordsFor(tx, reading, { item: rows })
  const names = new Map(rows.map(({ id, name }) => [id, words('item', id).name ?? name]))
  return (id: number) => names.get(id)
}

export const getCalendar = operation({
  name: 'public.calendar',
  area: 'maintenance',
  permission: 'public',
  summary: 'Get the maintenances of the page for a calendar',
  input: z.strictObject(readIn),
  output: CalendarView,
  run: async (ctx, { locale }) => {
    await requireBuiltIn(ctx.tx, 'ics')
    return readCalendar(ctx, { items: null, locale })
  },
})

export const getItemCalendar = operation({
  name: 'public.item_calendar',
  area: 'maintenance',
  permission: 'public',
  summary: 'Get the maintenances of an item and the items below it for a calendar',
  subject: itemSubject,
  input: z.strictObject(readIn),
  output: CalendarView,
  run: async (ctx, { locale }, { id, name }) => {
    await requireBuiltIn(ctx.tx, 'ics')
    const items = await scopedItems(ctx.tx, [id], true)
    if (!items.has(id)) throw notFound('item')
    const words = await wordsFor(ctx.tx, await readingIn(ctx.tx, locale), { item: [{ id }] })
    return readCalendar(ctx, { items, title: words('item', id).name ?? name, locale })
  },
})
