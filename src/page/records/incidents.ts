import { icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { durationBetween } from '../site/durations.ts'
import { markdownOf } from '../site/markdown.ts'
import { timeElement } from '../site/times.ts'
import { about, affected, type Incident, type RecordContext, timeline } from './timeline.ts'

/** An open incident with its timeline, as a card. */
export function renderOpen(incident: Incident, context: RecordContext): Markup {
  const { updates = [] } = incident
  const parts = [about('incident', incident, context), timeline('incident', updates, context)]
  const first = context.site.settings.incident_primary_message_mode
  return html`<article class="card incident open ${context.look(incident.status).className}" id="incident-${incident.id}">
    ${heading(incident, context)}
    ${openFacts(incident, context)}
    ${first === 'latest_update' ? parts.reverse() : parts}
    ${detailsLink(`/incidents/${incident.id}`, context)}
  </article>`
}

/** An open incident as a row that unfolds. */
export function renderOpenRow(incident: Incident, context: RecordContext): Markup {
  const { updates = [] } = incident
  const { homepage_current_activity_row_display: display } = context.site.settings
  return html`<details class="card incident open brief ${context.look(incident.status).className}" id="incident-${incident.id}">
    <summary>
      ${heading(incident, context)}
      ${openFacts(incident, context, display === 'compact')}
      ${display === 'detailed' && folded(incident, context, { linked: false })}
      <span class="fold">${context.text('page.incident.what_happened')}</span>
    </summary>
    <div class="details">
      ${about('incident', incident, context)}
      ${timeline('incident', updates, context)}
      ${detailsLink(`/incidents/${incident.id}`, context)}
    </div>
  </details>`
}

/** A resolved incident: what happened is folded. */
export function renderResolved(incident: Incident, context: RecordContext): Markup {
  const { updates = [] } = incident
  const { show_incident_impact_in_collapsed } = context.site.settings
  return html`<article class="card incident" id="incident-${incident.id}">
    ${heading(incident, context)}
    ${resolvedFacts(incident, context)}
    ${folded(incident, context)}
    <details class="more">
      <summary><span class="fold">${context.text('page.incident.what_happened')}</span></summary>
      ${about('incident', incident, context, { impact: show_incident_impact_in_collapsed, affected: true })}
      ${timeline('incident', updates, context)}
      ${detailsLink(`/incidents/${incident.id}`, context)}
    </details>
    ${report(incident, context)}
  </article>`
}

export function openFacts(incident: Incident, context: RecordContext, brief = false): Markup {
  const { languages, look, reading, text, site } = context
  const { show_incident_started_at, show_incident_last_updated_at } = site.settings
  const seen = look(incident.status)
  const stage = incident.lifecycle_stage?.name
  const updated = incident.updates?.at(0)?.created_at
  return html`<p class="facts">
    <span class="mark">${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span>
    ${stage && html`<bdi${languages.ofVocabulary(stage)}>${stage}</bdi>`}
    ${!brief && show_incident_started_at && incident.started_at && html`<span>${text('page.incident.started')} ${timeElement(incident.started_at, reading)}</span>`}
    ${!brief && show_incident_last_updated_at && updated && html`<span>${text('page.incident.updated')} ${timeElement(updated, reading)}</span>`}
  </p>`
}

export function resolvedFacts({ started_at, resolved_at }: Incident, context: RecordContext): Markup {
  const { look, reading, text, site } = context
  const seen = look('resolved')
  const lasted = started_at && resolved_at && durationBetween(started_at, resolved_at, reading)
  const { show_incident_started_at } = site.settings
  return html`<p class="facts">
    <span class="mark">${icon(seen)}${seen.name}</span>
    ${timeElement(resolved_at, reading)}
    ${show_incident_started_at && started_at && html`<span>${text('page.incident.started')} ${timeElement(started_at, reading)}</span>`}
    ${lasted && html`<span>${text('page.incident.lasted', { duration: lasted })}</span>`}
  </p>`
}

/** What a folded incident shows besides its title. */
function folded(incident: Incident, context: RecordContext, options = {}): Markup {
  const { site, text, languages } = context
  const { show_incident_impact_in_collapsed, show_incident_affected_summary } = site.settings
  const { impact } = incident
  return html`
    ${show_incident_impact_in_collapsed && impact && html`<p class="about"><b>${text('page.incident.impact')}</b> <bdi${languages.of('incident', incident.id, 'impact')}>${impact}</bdi></p>`}
    ${show_incident_affected_summary && affected('incident', incident, context, options)}
  `
}

const heading = ({ id, title }: Incident, { languages }: RecordContext) =>
  html`<h3 dir="auto"${languages.of('incident', id, 'title')}>${title}</h3>`

export const detailsLink = (path: string, { site, link, text }: RecordContext) =>
  site.settings.show_incident_view_details_link &&
  html`<p class="about more"><a href="${link(path)}">${text('page.incident.details')}</a></p>`

function report({ id, report: written }: Incident, { languages, reading, text }: RecordContext): Markup | undefined {
  if (!written) return undefined
  const lang = (field: string) => languages.of('incident_report', id, field)
  return html`<details class="more">
    <summary><span class="fold">${text('page.report')}</span></summary>
    <h4 dir="auto"${lang('title')}>${written.title}</h4>
    <p class="about soft">${text('page.report.published')} ${timeElement(written.published_at, reading)}</p>
    <div class="prose" dir="auto"${lang('body')}>${markdownOf(written.body)}</div>
  </details>`
}
