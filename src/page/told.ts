import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import type { Look } from './looks.ts'
import { html, type Markup } from './markup.ts'
import { foldNames, labels, timelineOf } from './rules.ts'
import { type Reading, timeElement } from './times.ts'

/** What incidents and maintenances tell in the same way: what it is about, and what happened since. */

type Incident = PageView['open_incidents'][number]
type Maintenance = PageView['active_maintenances'][number]
type Update = NonNullable<Incident['updates'] | Maintenance['updates']>[number]

export interface Scene {
  reading: Reading
  primary: PageView['primary_message']
  look: (status: string) => Look
  label: ReturnType<typeof labels>
}

export function sceneOf(view: PageView, look: (status: string) => Look): Scene {
  const reading = { now: view.generated_at, locale: view.date_locale }
  return { reading, primary: view.primary_message, look, label: labels(view.items) }
}

export function about(told: Incident | Maintenance, { label }: Scene): Markup {
  const { description, impact, affected_items_freetext: freetext, affected_items = [] } = told
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

/** The first `told` of them stand somewhere else already. */
export function timeline(updates: Update[], scene: Scene, told = 0): Markup | undefined {
  if (updates.length <= told) return undefined
  const { newest, older, left } = timelineOf(updates)
  const list = (part: Update[]) => html`<ol role="list" class="line">${part.map((update) => entry(update, scene))}</ol>`
  const rest =
    left > 0 &&
    html`<p class="about soft">${left} more before these can be read through the <a href="/api/docs">API</a>.</p>`
  const folded = html`<details class="more">
    <summary><span class="fold">${older.length + left} earlier updates</span></summary>
    ${list(older)}${rest}
  </details>`
  return html`${list(newest.slice(told))}${older.length > 0 && folded}`
}

export function entry(update: Update, { reading, look }: Scene): Markup {
  const seen = look(update.status)
  const title = update.lifecycle_stage?.name ?? seen.name
  const moved = update.status !== update.previous_status && title !== seen.name
  return html`<li>
    <p class="when">
      ${icon(seen)}<b><bdi>${title}</bdi></b>
      ${moved && html`<bdi>${seen.name}</bdi>`}
      ${timeElement(update.created_at, reading)}
    </p>
    <p class="said" dir="auto">${update.message}</p>
  </li>`
}
