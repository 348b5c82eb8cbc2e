import { labels } from '../domain/pages/summary/state-rules.ts'
import type { PageView } from '../domain/pages/views/home.ts'
import { icon } from './icons.ts'
import { type Languages, languagesOf } from './languages.ts'
import { html, type Markup } from './markup.ts'
import { foldNames, timelineOf } from './rules.ts'
import type { StatusAppearance } from './status-appearance.ts'
import { type Reading, timeElement } from './times.ts'

/** The parts that incidents and maintenances share: the description and the timeline. */

type Incident = PageView['open_incidents'][number]
type Maintenance = PageView['active_maintenances'][number]
type Update = NonNullable<Incident['updates'] | Maintenance['updates']>[number]

export interface RenderContext {
  reading: Reading
  primary: PageView['primary_message']
  look: (status: string) => StatusAppearance
  label: ReturnType<typeof labels>
  languages: Languages
}

export function renderContextOf(view: PageView, look: (status: string) => StatusAppearance): RenderContext {
  const reading = { now: view.generated_at, locale: view.date_locale }
  return { reading, primary: view.primary_message, look, label: labels(view.items), languages: languagesOf(view) }
}

type Kind = 'incident' | 'maintenance'

export function about(kind: Kind, record: Incident | Maintenance, { label, languages }: RenderContext): Markup {
  const { id, description, impact, affected_items_freetext: freetext, affected_items = [] } = record
  const lang = (field: string) => languages.of(kind, id, field)
  const names = affected_items.map((item) => html`<bdi${languages.original}>${label(item)}</bdi>`)
  if (freetext) names.push(html`<span class="prose" dir="auto"${lang('affected_items_freetext')}>${freetext}</span>`)
  const { shown, folded } = foldNames(names)
  const rest = html`<details class="more">
    <summary><span class="fold">${folded.length} more affected</span></summary>
    <p class="about">${commas(folded)}</p>
  </details>`
  return html`
    ${description && html`<p class="prose" dir="auto"${lang('description')}>${description}</p>`}
    ${impact && html`<p class="about"><b>Impact:</b> <bdi${lang('impact')}>${impact}</bdi></p>`}
    ${names.length > 0 && html`<p class="about"><b>Affected:</b> ${commas(shown)}</p>`}
    ${folded.length > 0 && rest}
  `
}

const commas = (names: Markup[]) => names.flatMap((name, index) => (index === 0 ? [name] : [', ', name]))

export function timeline(kind: Kind, updates: Update[], context: RenderContext): Markup | undefined {
  if (updates.length === 0) return undefined
  const { newest, older, left } = timelineOf(updates)
  const list = (part: Update[]) =>
    html`<ol role="list" class="line">${part.map((update) => entry(kind, update, context))}</ol>`
  const rest =
    left > 0 &&
    html`<p class="about soft">${left} more before these can be read through the <a href="/api/docs">API</a>.</p>`
  const folded = html`<details class="more">
    <summary><span class="fold">${older.length + left} earlier updates</span></summary>
    ${list(older)}${rest}
  </details>`
  return html`${list(newest)}${older.length > 0 && folded}`
}

function entry(kind: Kind, update: Update, { reading, look, languages }: RenderContext): Markup {
  const seen = look(update.status)
  const title = update.lifecycle_stage?.name ?? seen.name
  const moved = update.status !== update.previous_status && title !== seen.name
  return html`<li>
    <p class="when">
      ${icon(seen)}<b><bdi${languages.ofVocabulary(title)}>${title}</bdi></b>
      ${moved && html`<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi>`}
      ${timeElement(update.created_at, reading)}
    </p>
    <p class="prose" dir="auto"${languages.of(`${kind}_update`, update.id, 'message')}>${update.message}</p>
  </li>`
}
