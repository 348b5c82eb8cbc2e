import { labels as nameOf } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import { icon } from '../icons.ts'
import { type Content, html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { listInWords } from '../site/list-rules.ts'
import { markdownOf } from '../site/markdown.ts'
import { timeElement } from '../site/times.ts'
import { foldNames, timelineOf } from './fold-rules.ts'

/** The parts that incidents and maintenances share: the description and the timeline. */

export type Incident = PageView['open_incidents'][number]
export type Maintenance = PageView['active_maintenances'][number]
type Update = NonNullable<Incident['updates'] | Maintenance['updates']>[number]

/** What the records of a page need besides its site. */
export interface RecordContext extends SiteContext {
  /** The name of an affected item. */
  label: ReturnType<typeof nameOf>
}

export const recordContext = (context: SiteContext, items: PageView['items'] = []): RecordContext => ({
  ...context,
  label: nameOf(items),
})

export type Kind = 'incident' | 'maintenance'

/** The description, and, unless they are shown elsewhere, the impact and the affected items. */
export function about(
  kind: Kind,
  record: Incident | Maintenance,
  context: RecordContext,
  elsewhere: { impact?: boolean; affected?: boolean } = {},
): Markup {
  const { languages, text, site } = context
  const { id, description, impact } = record
  const lang = (field: string) => languages.of(kind, id, field)
  return html`
    ${description && html`<div class="prose" dir="auto"${lang('description')}>${markdownOf(description)}</div>`}
    ${impact && !elsewhere.impact && html`<p class="about"><b>${text('page.incident.impact')}</b> <bdi${lang('impact')}>${impact}</bdi></p>`}
    ${site.settings.show_incident_affected_summary && !elsewhere.affected && affected(kind, record, context)}
  `
}

/** `linked`: not within a summary, which is a control itself. */
export function affected(
  kind: Kind,
  record: Incident | Maintenance,
  context: RecordContext,
  { linked = true } = {},
): Markup | undefined {
  const { label, labels, languages, link, text } = context
  const listed = (parts: Content[]) => listInWords(parts, labels.language)
  const { id, affected_items_freetext: freetext, affected_items = [] } = record
  const lang = languages.of(kind, id, 'affected_items_freetext')
  const names = affected_items.map((item) => {
    const name = html`<bdi${languages.original}>${label(item)}</bdi>`
    return linked && !item.archived ? html`<a href="${link(`/items/${item.id}`)}">${name}</a>` : name
  })
  if (freetext) names.push(html`<span dir="auto"${lang}>${freetext}</span>`)
  if (names.length === 0) return undefined
  const { shown, folded } = foldNames(names)
  const more = folded.length > 0 ? [text('page.items.more', { count: folded.length })] : []
  if (!linked) return html`<p class="about"><b>${text('page.incident.affected')}</b> ${listed([...shown, ...more])}</p>`
  const rest = html`<details class="more">
    <summary><span class="fold">${text('page.incident.affected_more', { count: folded.length })}</span></summary>
    <p class="about">${listed(folded)}</p>
  </details>`
  return html`<p class="about"><b>${text('page.incident.affected')}</b> ${listed(shown)}</p>${folded.length > 0 && rest}`
}

/** The timeline, newest entry first. */
export function timeline(kind: Kind, updates: Update[], context: SiteContext): Markup | undefined {
  if (updates.length === 0) return undefined
  const { text } = context
  const { newest, older, left } = timelineOf(updates)
  const list = (part: Update[]) =>
    html`<ol role="list" class="line">${part.map((update) => entry(kind, update, context))}</ol>`
  const rest = left > 0 && html`<p class="about soft">${text('page.timeline.left', { count: left })}</p>`
  const folded = html`<details class="more">
    <summary><span class="fold">${text('page.timeline.earlier', { count: older.length + left })}</span></summary>
    ${list(older)}${rest}
  </details>`
  return html`${list(newest)}${older.length > 0 && folded}`
}

/** The timeline without folds, for a page of its own. */
export const wholeTimeline = (kind: Kind, updates: Update[], context: SiteContext): Markup =>
  html`<ol role="list" class="line">${updates.map((update) => entry(kind, update, context))}</ol>`

function entry(kind: Kind, update: Update, { reading, look, languages }: SiteContext): Markup {
  const seen = look(update.status)
  const title = update.lifecycle_stage?.name ?? seen.name
  const moved = update.status !== update.previous_status && title !== seen.name
  return html`<li>
    <p class="when">
      ${icon(seen)}<b><bdi${languages.ofVocabulary(title)}>${title}</bdi></b>
      ${moved && html`<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi>`}
      ${timeElement(update.created_at, reading)}
    </p>
    <div class="prose" dir="auto"${languages.of(`${kind}_update`, update.id, 'message')}>${markdownOf(update.message)}</div>
  </li>`
}
