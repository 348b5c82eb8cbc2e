import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { duration, timeElement } from './times.ts'
import { about, type Scene, timeline } from './told.ts'

type Incident = PageView['open_incidents'][number]

export function renderOpen(incident: Incident, scene: Scene): Markup {
  const { languages, look, primary, reading } = scene
  const seen = look(incident.status)
  const stage = incident.lifecycle_stage?.name
  const { updates = [] } = incident
  const parts = [about('incident', incident, scene), timeline('incident', updates, scene)]
  return html`<article class="card incident open ${seen.className}" id="incident-${incident.id}">
    ${heading(incident, scene)}
    <p class="facts">
      <span class="mark">${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span>
      ${stage && html`<bdi${languages.ofVocabulary(stage)}>${stage}</bdi>`}
      ${incident.started_at && html`<span>Started ${timeElement(incident.started_at, reading)}</span>`}
    </p>
    ${primary === 'latest_update' ? parts.reverse() : parts}
  </article>`
}

export function renderResolved(incident: Incident, scene: Scene): Markup {
  const { started_at, resolved_at, updates = [] } = incident
  const lasted = started_at && resolved_at && html`<span>Lasted ${duration(started_at, resolved_at)}</span>`
  return html`<article class="card incident" id="incident-${incident.id}">
    ${heading(incident, scene)}
    <p class="facts">
      <span class="mark">${icon(scene.look('resolved'))}Resolved</span>
      ${timeElement(resolved_at, scene.reading)}
      ${lasted}
    </p>
    <details class="more">
      <summary><span class="fold">What happened</span></summary>
      ${about('incident', incident, scene)}
      ${timeline('incident', updates, scene)}
    </details>
    ${report(incident, scene)}
  </article>`
}

const heading = ({ id, title }: Incident, { languages }: Scene) =>
  html`<h3 dir="auto"${languages.of('incident', id, 'title')}>${title}</h3>`

function report({ id, report: written }: Incident, { languages, reading }: Scene): Markup | undefined {
  if (!written) return undefined
  const lang = (field: string) => languages.of('incident_report', id, field)
  return html`<details class="more">
    <summary><span class="fold">Post-incident report</span></summary>
    <h4 dir="auto"${lang('title')}>${written.title}</h4>
    <p class="about soft">Published ${timeElement(written.published_at, reading)}</p>
    <p class="said" dir="auto"${lang('body')}>${written.body}</p>
  </details>`
}
