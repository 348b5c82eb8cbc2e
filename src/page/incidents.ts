import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { duration, timeElement } from './times.ts'
import { about, entry, type Scene, timeline } from './told.ts'

type Incident = PageView['open_incidents'][number]

export function renderOpen(incident: Incident, scene: Scene): Markup {
  const seen = scene.look(incident.status)
  const stage = incident.lifecycle_stage?.name
  const { updates = [] } = incident
  const lead = scene.primary === 'latest_update' ? updates[0] : undefined
  return html`<article class="card incident open ${seen.className}" id="incident-${incident.id}">
    <h3 dir="auto">${incident.title}</h3>
    <p class="facts">
      <span class="mark">${icon(seen)}<bdi>${seen.name}</bdi></span>
      ${stage && html`<bdi>${stage}</bdi>`}
      ${incident.started_at && html`<span>Started ${timeElement(incident.started_at, scene.reading)}</span>`}
    </p>
    ${lead && html`<ol role="list" class="line lead">${entry(lead, scene)}</ol>`}
    ${about(incident, scene)}
    ${timeline(updates, scene, lead ? 1 : 0)}
  </article>`
}

export function renderResolved(incident: Incident, scene: Scene): Markup {
  const { started_at, resolved_at, updates = [] } = incident
  const lasted = started_at && resolved_at && html`<span>Lasted ${duration(started_at, resolved_at)}</span>`
  return html`<article class="card incident" id="incident-${incident.id}">
    <h3 dir="auto">${incident.title}</h3>
    <p class="facts">
      <span class="mark">${icon(scene.look('resolved'))}Resolved</span>
      ${timeElement(resolved_at, scene.reading)}
      ${lasted}
    </p>
    <details class="more">
      <summary><span class="fold">What happened</span></summary>
      ${about(incident, scene)}
      ${timeline(updates, scene)}
    </details>
  </article>`
}
