import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { type Labels, labelsFor } from '../../languages/labels.ts'
import { recordsWithin } from '../../persistence/incidents.ts'
import { presentComponents } from '../hierarchy/public.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { sentenceOf } from '../pages/summary/sentence-rules.ts'
import { stateOf } from '../pages/summary/state-rules.ts'
import { happenedIn } from '../pages/views/happened.ts'
import { currentView, PageView } from '../pages/views/home.ts'
import { narrowedItems } from '../readers/narrow-rules.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { historyOf, type PageHistory } from '../uptime/page-history.ts'
import { statusNameIn } from '../vocabulary/status-name-rules.ts'
import { offeredView, viewCode } from './access.ts'
import { itemsOfView } from './items.ts'
import { presentPublicView } from './presenter.ts'
import { ViewData } from './schema.ts'

const common = { area: 'audience', permission: 'public' } as const

/** The items of a view, and the present state of these items. */
async function partOf(ctx: Context, view_code: string, locale: string | undefined) {
  const record = await offeredView(ctx, view_code)
  const scope = await itemsOfView(ctx.tx, record)
  const { view, reading } = await currentView(ctx, locale, scope)
  return { record, scope, view, reading }
}

export const getViewData = operation({
  ...common,
  name: 'public.view_data',
  summary: 'Get the present state of a custom view: its status, items, incidents and maintenances',
  description: `Records name no items outside the view. ${languageInWords}`,
  input: z.strictObject({ ...viewCode, ...readIn }),
  output: ViewData,
  run: async (ctx, { view_code, locale }) => {
    const { record, scope, view, reading } = await partOf(ctx, view_code, locale)
    const labels = labelsFor(reading.language)
    const state = stateOf(view)
    const own = view.status_types.find(({ key }) => key === state.status)?.name
    const components = narrowedItems(await presentComponents(ctx.tx, reading), scope)
    return {
      view: await presentPublicView(ctx, record, reading),
      status:
        scope.size === 0
          ? unknownIn(labels)
          : {
              key: state.status,
              name: statusNameIn(labels, state.status, own),
              sentence: sentenceOf({ ...state, isPart: true }, view.status_types, labels),
            },
      items: components.map(({ hierarchy_path: _path, ...item }) => item),
      incidents: view.open_incidents,
      past_incidents: view.resolved_incidents,
      maintenances: { active: view.active_maintenances, upcoming: view.upcoming_maintenances },
      generated_at: ctx.now.toISOString(),
    }
  },
})

/** The history of the items without incidents and maintenances of items outside, such as their parents. */
async function withinScope(tx: EntityManager, history: PageHistory, scope: ReadonlySet<number>): Promise<PageHistory> {
  const days = history.items.flatMap((one) => one.days)
  const incidents = await recordsWithin(
    tx,
    'incident',
    days.flatMap(({ incident_ids }) => incident_ids),
    scope,
  )
  const maintenances = await recordsWithin(
    tx,
    'maintenance',
    days.flatMap(({ maintenance_ids }) => maintenance_ids),
    scope,
  )
  const items = history.items.map(({ item: { hierarchy_path: _path, ...item }, ...course }) => ({
    ...course,
    item,
    days: course.days.map((day) => ({
      ...day,
      incident_ids: day.incident_ids.filter((id) => incidents.has(id)),
      maintenance_ids: day.maintenance_ids.filter((id) => maintenances.has(id)),
    })),
  }))
  return { ...history, items }
}

/** The state of a view whose items are all gone. */
const unknownIn = (labels: Labels) => ({
  key: 'unknown',
  name: labels.text('embed.unknown'),
  sentence: labels.text('page.view.empty'),
})

const ViewPage = PageView.extend({
  view: z.strictObject({ name: z.string(), description: z.string(), code: z.string(), is_empty: z.boolean() }),
})
export type ViewPage = z.output<typeof ViewPage>

export const getViewPage = operation({
  ...common,
  name: 'public.view_page',
  summary: 'Get all data of the page of a custom view',
  input: z.strictObject({ ...viewCode, locale: z.string().optional() }),
  output: ViewPage,
  run: async (ctx, { view_code, locale }) => {
    const { tx, now } = ctx
    const { record, scope, view, reading } = await partOf(ctx, view_code, locale)
    const { homepage_history_bars_days: days, show_history_bars_on_homepage } = view.settings
    const hasHistory = show_history_bars_on_homepage && view.items.length > 0
    const whole = hasHistory ? await historyOf(tx, now, { days, reading, only: scope }) : null
    const history = whole && (await withinScope(tx, whole, scope))
    const { name, description, alias, short_code } = record
    return {
      ...view,
      // The page of a view begins with its own items.
      settings: { ...view.settings, show_component_by_default: false, default_component_item_id: null },
      history,
      happened: await happenedIn(tx, reading, history),
      metrics: [],
      view: { name, description, code: alias ?? short_code, is_empty: scope.size === 0 },
    }
  },
})
