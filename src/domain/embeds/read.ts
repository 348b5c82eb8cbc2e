import { z } from 'zod'
import { labelsFor } from '../../languages/labels.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { MAX_ID, momentOut } from '../kernel/schema.ts'
import { shownTimes } from '../maintenances/shown-times-rules.ts'
import { maintenancesOf } from '../pages/summary/current-records.ts'
import { sentenceOf } from '../pages/summary/sentence-rules.ts'
import { stateOf, worstFirst } from '../pages/summary/state-rules.ts'
import { currentView } from '../pages/views/home.ts'
import { SiteView } from '../pages/views/site.ts'
import { narrowedAll } from '../readers/narrow-rules.ts'
import { scopedItems } from '../readers/scope.ts'
import type { Settings } from '../settings/schema.ts'

const Entry = z.strictObject({
  kind: z.enum(['incident', 'maintenance']),
  id: z.int(),
  title: z.string(),
  status: z.string(),
  /** When an incident or a maintenance started, or when a maintenance is to start. */
  at: momentOut().nullable(),
})
export type EmbedEntry = z.output<typeof Entry>

const Part = z.strictObject({ status: z.string(), sentence: z.string(), entries: z.array(Entry) })

const EmbedView = SiteView.extend({
  widget: Part.nullable().describe('null while the widget is disabled'),
  launcher: Part.nullable().describe('null while the launcher is disabled'),
})
export type EmbedView = z.output<typeof EmbedView>

const common = { area: 'incidents', permission: 'public' } as const

export const getEmbeds = operation({
  ...common,
  name: 'public.embeds',
  summary: 'Get all data of the widget and the launcher',
  input: z.strictObject({ locale: z.string().optional() }),
  output: EmbedView,
  run: async (ctx, { locale }) => {
    const { view } = await currentView(ctx, locale)
    const { settings } = view
    const site = siteIn(view)
    const widget = settings.embed_widget_enabled ? { ...stateIn(view), entries: entriesOf(openIn(view), view) } : null
    const launcher = settings.embed_launcher_enabled ? await launcherOf(ctx, locale, settings) : null
    return { ...site, widget, launcher }
  },
})

type View = Awaited<ReturnType<typeof currentView>>['view']

/** The launcher is about the items of its settings. An item that was deleted since is in no scope. */
async function launcherOf(ctx: Context, locale: string | undefined, settings: Settings) {
  const { tx, now } = ctx
  const ids = settings.embed_launcher_component_ids
  const scope = ids.length === 0 ? null : await scopedItems(tx, ids, true)
  // The state of no item would always be calm.
  if (scope?.size === 0) return null
  const { view, reading } = await currentView(ctx, locale, scope)
  const days = settings.embed_launcher_maintenance_days
  const coming = await maintenancesOf(tx, { now, reading, days, items: scope })
  const maintenances = settings.embed_launcher_show_maintenances
    ? {
        active_maintenances: narrowedAll(coming.active_maintenances, scope),
        upcoming_maintenances: narrowedAll(coming.upcoming_maintenances, scope),
      }
    : { active_maintenances: [], upcoming_maintenances: [] }
  const calm = new Set(view.status_types.filter((type) => type.is_operational).map(({ key }) => key))
  const incidents = openIn(view).filter(({ status }) =>
    calm.has(status) ? settings.embed_launcher_show_informational : settings.embed_launcher_show_incidents,
  )
  return { ...stateIn(view, scope !== null), entries: entriesOf(incidents, maintenances) }
}

function stateIn(view: View, isPart = false) {
  const state = stateOf(view)
  const sentence = sentenceOf({ ...state, isPart }, view.status_types, labelsFor(view.language))
  return { status: state.status, sentence }
}

const MOST_ENTRIES = 10

const openIn = ({ open_incidents, status_types }: View) => worstFirst(open_incidents, status_types)

function entriesOf(
  open: View['open_incidents'],
  { active_maintenances, upcoming_maintenances }: Pick<View, 'active_maintenances' | 'upcoming_maintenances'>,
): EmbedEntry[] {
  const incidents = open.map(({ id, title, status, started_at }) => ({
    ...{ kind: 'incident' as const, id, title, status, at: started_at },
  }))
  const maintenances = [...active_maintenances, ...upcoming_maintenances].map((one) => ({
    ...{ kind: 'maintenance' as const, id: one.id, title: one.title, status: one.status },
    at: shownTimes(one).from ?? null,
  }))
  return [...incidents, ...maintenances].slice(0, MOST_ENTRIES)
}

const siteFields = Object.keys(SiteView.shape)
const siteIn = (view: View): SiteView =>
  Object.fromEntries(Object.entries(view).filter(([name]) => siteFields.includes(name))) as SiteView

const BadgeView = SiteView.extend({
  status: z.string().nullable().describe('null for an item that does not exist'),
  item_name: z.string().optional(),
})
export type BadgeView = z.output<typeof BadgeView>

export const getBadge = operation({
  ...common,
  name: 'public.badge',
  summary: 'Get all data of the badge of the page, or of an item',
  input: z.strictObject({
    locale: z.string().optional(),
    item: z.coerce.number().int().min(1).max(MAX_ID).optional(),
  }),
  output: BadgeView,
  run: async (ctx, { locale, item }) => {
    const { view } = await currentView(ctx, locale)
    if (item === undefined) return { ...siteIn(view), status: stateOf(view).status }
    const found = view.items.find(({ id }) => id === item)
    return { ...siteIn(view), status: found?.status ?? null, ...(found ? { item_name: found.name } : {}) }
  },
})
