import type { PageView } from '../domain/pages/views/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { about, type RenderContext, timeline } from './timeline.ts'
import { duration, timeElement } from './times.ts'

type Incident = PageView['open_incidents'][number]

export function renderOpen(incident: Incident, context: RenderContext): Markup {
  const { languages, look, primary, reading } = context
  const seen = look(incident.status)
  const stage = incident.lifecycle_stage?.name
  const { updates = [] } = incident
  const parts = [about('incident', incident, context), timeline('incident', updates, context)]
  return html`<article class="card incident open ${seen.className}" id="incident-${incident.id}">
    ${heading(incident, context)}
    <p class="facts">
      <span class="mark">${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span>
      ${stage && html`<bdi${languages.ofVocabulary(stage)}>${stage}</bdi>`}
      ${incident.started_at && html`<span>Started ${timeElement(incident.started_at, reading)}</span>`}
    </p>
    ${primary === 'latest_update' ? parts.reverse() : parts}
  </article>`
}

export function renderResolved(incident: Incident, context: RenderContext): Markup {
  const { started_at, resolved_at, updates = [] } = incident
  const lasted = started_at && resolved_at && html`<span>Lasted ${duration(started_at, resolved_at)}</span>`
  return html`<article class="card incident" id="incident-${incident.id}">
    ${heading(incident, context)}
    <p class="facts">
      <span class="mark">${icon(context.look('resolved'))}Resolved</span>
      ${timeElement(resolved_at, context.reading)}
      ${lasted}
    </p>
    <details class="more">
      <summary><span class="fold">What happened</span></summary>
      ${about('incident', incident, context)}
      ${timeline('incident', updates, context)}
    </details>
    ${report(incident, context)}
  </article>`
}

const heading = ({ id, title }: Incident, { languages }: RenderContext) =>
  html`<h3 dir="auto"${languages.of('incident', id, 'title')}>${title}</h3>`

function report({ id, report: written }: Incident, { languages, reading }: RenderContext): Markup | undefined {
  if (!written) return undefined
  const lang = (field: string) => languages.of('incident_report', id, field)
  return html`<details class="more">
    <summary><span class="fold">Post-incident report</span></summary>
    <h4 dir="auto"${lang('title')}>${written.title}</h4>
    <p class="about soft">Published ${timeElement(written.published_at, reading)}</p>
    <p class="prose" dir="auto"${lang('body')}>${written.body}</p>
  </details>`
}
