import { icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { durationBetween } from '../site/durations.ts'
import { markdownOf } from '../site/markdown.ts'
import { timeElement } from '../site/times.ts'
import { about, type Incident, type RecordContext } from './about.ts'
import { detailsLink, foldedCard, foldedLine, heading } from './folded.ts'
import { timeline } from './timeline.ts'

/** An open incident with its timeline, as a card. */
export function renderOpen(incident: Incident, context: RecordContext): Markup {
  const { updates = [] } = incident
  const parts = [about('incident', incident, context), timeline('incident', updates, context)]
  const first = context.site.settings.incident_primary_message_mode
  return html`<article class="card incident open ${context.look(incident.status).className}" id="incident-${incident.id}">
    ${heading('incident', incident, context)}
    ${openFacts(incident, context)}
    ${first === 'latest_update' ? parts.reverse() : parts}
    ${detailsLink('incident', incident, context)}
  </article>`
}

/** An incident, open or resolved: what happened is folded. */
export function renderFolded(incident: Incident, context: RecordContext): Markup {
  const isOpen = !incident.resolved_at
  const facts = isOpen ? openFacts(incident, context) : resolvedFacts(incident, context)
  return foldedCard({ kind: 'incident', record: incident, facts, isOpen, end: report(incident, context) }, context)
}

/** An open incident as a line. */
export const renderLine = (incident: Incident, context: RecordContext): Markup =>
  foldedLine({ kind: 'incident', record: incident, facts: openFacts(incident, context, true) }, context)

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
