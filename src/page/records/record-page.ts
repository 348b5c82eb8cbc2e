import type { IncidentPage, MaintenancePage } from '../../domain/pages/views/record-pages.ts'
import { favicon } from '../icons.ts'
import { html } from '../markup.ts'
import { contextOf, type Place, type SiteContext } from '../site/context.ts'
import { crumbs } from '../site/crumbs.ts'
import { renderDocument } from '../site/document.ts'
import { markdownOf } from '../site/markdown.ts'
import { timeElement } from '../site/times.ts'
import { about, type Incident, recordContext } from './about.ts'
import { openFacts, resolvedFacts } from './incidents.ts'
import { maintenanceFacts } from './maintenances.ts'
import { wholeTimeline } from './timeline.ts'

const DESCRIPTION_LENGTH = 200

/** The page of an incident, with its whole timeline and its published report. */
export function renderIncidentPage({ incident, ...site }: IncidentPage, place: Place): string {
  const context = recordContext(contextOf(site, place))
  const { languages } = context
  const { id, title, resolved_at, status, updates = [] } = incident
  const newest = updates.at(0)?.message ?? incident.description
  const body = html`
    ${crumbs(context)}
    <article data-part="incident">
      <h1 dir="auto"${languages.of('incident', id, 'title')}>${title}</h1>
      ${resolved_at ? resolvedFacts(incident, context) : openFacts(incident, context)}
      <div class="card panel ${context.look(status).className}${!resolved_at && ' open'}">
        ${about('incident', incident, context)}
        ${wholeTimeline('incident', updates, context)}
      </div>
      ${incident.report && report(incident, incident.report, context)}
    </article>`
  return renderDocument(context, {
    title: `${title} – ${site.name}`,
    description: short(newest) || title,
    icon: favicon(context.look(status)),
    body,
  })
}

/** The page of a maintenance with its whole timeline. */
export function renderMaintenancePage({ maintenance, ...site }: MaintenancePage, place: Place): string {
  const context = recordContext(contextOf(site, place))
  const { id, title, status, updates = [] } = maintenance
  const body = html`
    ${crumbs(context)}
    <article data-part="maintenance">
      <h1 dir="auto"${context.languages.of('maintenance', id, 'title')}>${title}</h1>
      ${maintenanceFacts(maintenance, context)}
      <div class="card panel ${context.look(status).className}${status === 'in_progress' && ' open'}">
        ${about('maintenance', maintenance, context)}
        ${wholeTimeline('maintenance', updates, context)}
      </div>
    </article>`
  return renderDocument(context, {
    title: `${title} – ${site.name}`,
    description: short(updates.at(0)?.message ?? maintenance.description) || title,
    icon: favicon(context.look(status)),
    body,
  })
}

function report(
  { id }: Incident,
  { title, body, published_at }: NonNullable<Incident['report']>,
  context: SiteContext,
) {
  const { languages, reading, text } = context
  const lang = (field: string) => languages.of('incident_report', id, field)
  return html`<section aria-labelledby="report">
    <h2 id="report">${text('page.report')}</h2>
    <div class="card panel">
      <h3 dir="auto"${lang('title')}>${title}</h3>
      <p class="about soft">${text('page.report.published')} ${timeElement(published_at, reading)}</p>
      <div class="prose" dir="auto"${lang('body')}>${markdownOf(body)}</div>
    </div>
  </section>`
}

const short = (text: string) =>
  (text.length > DESCRIPTION_LENGTH ? `${text.slice(0, DESCRIPTION_LENGTH)}…` : text).toWellFormed()
