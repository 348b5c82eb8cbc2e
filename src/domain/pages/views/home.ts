import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentRows } from '../../../persistence/components.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { PublicMetrics, publicMetrics } from '../../beats/results/public.ts'
import { withReports } from '../../incidents/postmortem-presenter.ts'
import { presentPublic } from '../../incidents/presenter.ts'
import { PublicIncident } from '../../incidents/schema.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { PublicMaintenance } from '../../maintenances/schema.ts'
import { narrowedAll, narrowedItems } from '../../readers/narrow-rules.ts'
import type { Reading } from '../../translations/languages.ts'
import { wordsFor } from '../../translations/read.ts'
import { historyOf, PageHistory } from '../../uptime/page-history.ts'
import { incidentsIn, maintenancesOf, openIncidents, openTotal } from '../summary/current-records.ts'
import { Happened, happenedIn } from './happened.ts'
import { SiteView, siteOf } from './site.ts'
import { translatedIn } from './translated.ts'

const RESOLVED_FOR_MS = 14 * 24 * 60 * 60 * 1000
const RESOLVED_AT_MOST = 20

const PageItem = z.strictObject({
  id: z.int(),
  parent_id: z.int().optional(),
  name: z.string(),
  description: z.string().optional(),
  status: z.string(),
  depth: z.int(),
  display_order: z.int(),
})

export const PageView = SiteView.extend({
  items: z.array(PageItem),
  history: PageHistory.nullable().describe('null while the page shows no history'),
  happened: Happened,
  metrics: z.array(PublicMetrics),
  open_incidents: z.array(PublicIncident),
  open_total: z.int(),
  resolved_incidents: z.array(PublicIncident),
  active_maintenances: z.array(PublicMaintenance),
  upcoming_maintenances: z
    .array(PublicMaintenance)
    .describe('Within homepage_upcoming_maintenance_days; of each series only the next window'),
}).meta({ id: 'PageView' })
export type PageView = z.output<typeof PageView>

export const getHome = operation({
  name: 'public.home',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the front page',
  input: z.strictObject({ locale: z.string().optional() }),
  output: PageView,
  run: async (ctx, { locale }) => {
    const { tx, now } = ctx
    const { view, reading } = await currentView(ctx, locale)
    const { settings } = view
    const shows = (section: 'components' | 'metrics') => !settings.homepage_hidden_sections.includes(section)
    const hasHistory = settings.show_history_bars_on_homepage && shows('components') && view.items.length > 0
    const history = hasHistory ? await historyOf(tx, now, { days: settings.homepage_history_bars_days, reading }) : null
    return {
      ...view,
      history,
      happened: await happenedIn(tx, reading, history),
      metrics: shows('metrics') ? await publicMetrics(tx, now, { range: '24h', reading }) : [],
    }
  },
})

/** The front page, or the page of some items, without what is computed from many past records. */
export async function currentView(ctx: Context, locale: string | undefined, scope: ReadonlySet<number> | null = null) {
  const { tx, now } = ctx
  const { site, reading, settings } = await siteOf(ctx, locale)
  const items = narrowedItems(await pageItems(tx, reading), scope)
  const open = await openIncidents(tx, scope)
  const resolved = await tx.find(
    Incident,
    { resolved_at: { $gte: new Date(now.getTime() - RESOLVED_FOR_MS) }, ...incidentsIn(scope) },
    { orderBy: [{ resolved_at: 'desc' }, { id: 'desc' }], limit: RESOLVED_AT_MOST },
  )
  const full = await withReports(tx, await presentPublic(tx, [...open, ...resolved], reading), reading)
  const shown = new Map(narrowedAll(full, scope).map((incident) => [incident.id, incident]))
  const inScope = (list: Incident[]) => list.flatMap(({ id }) => shown.get(id) ?? [])
  const days = settings.homepage_upcoming_maintenance_days
  const coming = await maintenancesOf(tx, { now, reading, days, items: scope })
  const maintenances = {
    active_maintenances: narrowedAll(coming.active_maintenances, scope),
    upcoming_maintenances: narrowedAll(coming.upcoming_maintenances, scope),
  }
  const view = {
    ...site,
    translated: {
      ...site.translated,
      ...(await translatedIn(tx, reading, {
        incidents: [...shown.values()],
        maintenances: Object.values(maintenances).flat(),
        items,
      })),
    },
    items,
    open_incidents: inScope(open),
    open_total: await openTotal(tx, open.length, scope),
    resolved_incidents: inScope(resolved),
    ...maintenances,
  }
  return { view, reading }
}

async function pageItems(tx: EntityManager, reading: Reading): Promise<PageView['items']> {
  const rows = await componentRows(tx)
  const words = await wordsFor(tx, reading, { item: rows })
  return rows.map((item) => ({
    id: item.id,
    parent_id: item.parent_id ?? undefined,
    name: item.name,
    description: item.description ?? undefined,
    status: item.status,
    depth: item.depth,
    display_order: item.display_order,
    ...words('item', item.id),
  }))
}
