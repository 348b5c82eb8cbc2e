import { sentenceOf } from '../../domain/pages/summary/sentence-rules.ts'
import { stateOf, worstFirst } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import type { Section } from '../../domain/settings/section-rules.ts'
import { favicon, icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { type RecordContext, recordContext } from '../records/about.ts'
import { renderFolded, renderLine, renderOpen } from '../records/incidents.ts'
import { renderMaintenance, renderMaintenanceFolded, renderMaintenanceLine } from '../records/maintenances.ts'
import { contextOf, type Place } from '../site/context.ts'
import { renderDocument } from '../site/document.ts'
import { type Asked, renderComponents } from './components.ts'
import { renderMetrics } from './metrics.ts'
import { renderPast } from './past.ts'
import { sectionsInOrder } from './rules.ts'

/** A part of the page with a page of its own. */
interface Part {
  name: string
  description: string
  /** All its items are gone, so the state is unknown. */
  is_empty: boolean
}

/** The front page, or the page of a part, as one document. */
export function renderHome(page: PageView, place: Place, asked: Asked = { all: false }, part?: Part): string {
  const context = recordContext(contextOf(page, place), page.items)
  const state = stateOf(page)
  const isUnknown = part?.is_empty ?? false
  const sentence = isUnknown
    ? context.text('page.view.empty')
    : sentenceOf({ ...state, isPart: part !== undefined }, page.status_types, context.labels)
  const seen = context.look(isUnknown ? 'unknown' : state.status)
  const contents: Record<Section, () => Markup | undefined> = {
    status: () =>
      html`<p class="card state ${seen.className}" data-part="status">${icon(seen)}<span>${sentence}</span></p>`,
    current_activity: () => currentActivity(page, context),
    components: () => section('components', renderComponents(page, asked, context), context),
    metrics: () => (page.metrics.length > 0 ? section('metrics', renderMetrics(page, context), context) : undefined),
    upcoming_maintenance: () =>
      page.upcoming_maintenances.length > 0
        ? section(
            'upcoming_maintenance',
            html`${page.upcoming_maintenances.map((one) => renderMaintenance(one, context))}
              ${page.feeds.includes('ics') && html`<p class="row-of"><a href="${context.link(`${part ? place.path : ''}/calendar.ics`)}">${context.text('page.calendar')}</a></p>`}`,
            context,
          )
        : undefined,
    past_incidents: () => section('past_incidents', renderPast(page, context), context),
  }
  return renderDocument(context, {
    title: `${part?.name ?? page.name}: ${sentence.replace(/[.。]$/, '')}`,
    description: sentence,
    icon: favicon(seen),
    body: html`${part && introOf(part)}${sectionsInOrder(page.settings).map((name) => contents[name]())}`,
    isHome: part === undefined,
  })
}

const introOf = ({ name, description }: Part): Markup =>
  html`<div class="part"><h1><bdi>${name}</bdi></h1>${description && html`<p class="soft"><bdi>${description}</bdi></p>`}</div>`

/** A section that readers can fold; the settings fold some at first. */
function section(name: Exclude<Section, 'status'>, body: Markup, { site, text }: RecordContext): Markup {
  const isFolded = site.settings.homepage_default_collapsed_sections.includes(name)
  return html`<details class="section" id="${name}" data-part="${name}"${!isFolded && ' open'}>
    <summary><h2>${text(`page.section.${name}`)}</h2><span class="fold"></span></summary>
    ${body}
  </details>`
}

/** The ways in which the settings show what goes on now. */
const shapes = {
  cards: { incident: renderOpen, maintenance: renderMaintenance },
  detailed: { incident: renderFolded, maintenance: renderMaintenanceFolded },
  compact: { incident: renderLine, maintenance: renderMaintenanceLine },
}

/** Open incidents, those that the state names first, and maintenances in progress. */
function currentActivity(page: PageView, context: RecordContext): Markup | undefined {
  const { open_incidents, open_total, active_maintenances, settings } = page
  if (open_incidents.length + active_maintenances.length === 0) return undefined
  const left = open_total - open_incidents.length
  const { homepage_current_activity_view_mode: mode, homepage_current_activity_row_display: display } = settings
  const shape = shapes[mode === 'list' ? display : mode]
  const body = html`
    ${worstFirst(open_incidents, page.status_types).map((one) => shape.incident(one, context))}
    ${left > 0 && html`<p class="soft">${context.text('page.activity.more', { count: left })}</p>`}
    ${active_maintenances.map((one) => shape.maintenance(one, context))}
  `
  return section('current_activity', body, context)
}
