import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import type { Look } from './looks.ts'
import { html, type Markup } from './markup.ts'
import { foldNames, labels, timelineOf } from './rules.ts'
import { duration, timeElement } from './times.ts'

type Incident = PageView['open_incidents'][number]
type Update = NonNullable<Incident['updates']>[number]

interface Scene {
  now: string
  look: (status: string) => Look
  label: ReturnType<typeof labels>
}

export function sceneOf(view: PageView, look: (status: string) => Look): Scene {
  return { now: view.generated_at, look, label: labels(view.items) }
}

export function renderOpen(incident: Incident, scene: Scene): Markup {
  const seen = scene.look(incident.status)
  const stage = incident.lifecycle_stage?.name
  return html`<article class="card incident open ${seen.className}" id="incident-${incident.id}">
    <h3 dir="auto">${incident.title}</h3>
    <p class="facts">
      <span class="mark">${icon(seen)}<bdi>${seen.name}</bdi></span>
      ${stage && html`<bdi>${stage}</bdi>`}
      ${incident.started_at && html`<span>Started ${timeElement(incident.started_at, scene.now)}</span>`}
    </p>
    ${about(incident, scene)}
    ${timeline(incident.updates ?? [], scene)}
  </article>`
}

export function renderResolved(incident: Incident, scene: Scene): Markup {
  const { started_at, resolved_at, updates = [] } = incident
  const lasted = started_at && resolved_at && html`<span>Lasted ${duration(started_at, resolved_at)}</span>`
  return html`<article class="card incident" id="incident-${incident.id}">
    <h3 dir="auto">${incident.title}</h3>
    <p class="facts">
      <span class="mark">${icon(scene.look('resolved'))}Resolved</span>
      ${timeElement(resolved_at, scene.now)}
      ${lasted}
    </p>
    <details class="more">
      <summary><span class="fold">What happened</span></summary>
      ${about(incident, scene)}
      ${timeline(updates, scene)}
    </details>
  </article>`
}

function about(incident: Incident, { label }: Scene): Markup {
  const { description, impact, affected_items_freetext: freetext, affected_items = [] } = incident
  const names = affected_items.map((item) => html`<bdi>${label(item)}</bdi>`)
  if (freetext) names.push(html`<span class="said" dir="auto">${freetext}</span>`)
  const { shown, folded } = foldNames(names)
  const rest = html`<details class="more">
    <summary><span class="fold">${folded.length} more affected</span></summary>
    <p class="about">${commas(folded)}</p>
  </details>`
  return html`
    ${description && html`<p class="said" dir="auto">${description}</p>`}
    ${impact && html`<p class="about"><b>Impact:</b> <bdi>${impact}</bdi></p>`}
    ${names.length > 0 && html`<p class="about"><b>Affected:</b> ${commas(shown)}</p>`}
    ${folded.length > 0 && rest}
  `
}

const commas = (names: Markup[]) => names.flatMap((name, index) => (index === 0 ? [name] : [', ', name]))

function timeline(updates: Update[], scene: Scene): Markup | undefined {
  if (updates.length === 0) return undefined
  const { newest, older, left } = timelineOf(updates)
  const list = (part: Update[]) => html`<ol role="list" class="line">${part.map((update) => entry(update, scene))}</ol>`
  const rest =
    left > 0 &&
    html`<p class="about soft">${left} more before these can be read through the <a href="/api/docs">API</a>.</p>`
  const folded = html`<details class="more">
    <summary><span class="fold">${older.length + left} earlier updates</span></summary>
    ${list(older)}${rest}
  </details>`
  return html`${list(newest)}${older.length > 0 && folded}`
}

function entry(update: Update, { now, look }: Scene): Markup {
  const seen = look(update.status)
  const title = update.lifecycle_stage?.name ?? seen.name
  const moved = update.status !== update.previous_status && title !== seen.name
  return html`<li>
    <p class="when">
      ${icon(seen)}<b><bdi>${title}</bdi></b>
      ${moved && html`<bdi>${seen.name}</bdi>`}
      ${timeElement(update.created_at, now)}
    </p>
    <p class="said" dir="auto">${update.message}</p>
  </li>`
}
