import { labels as nameOf } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import { type Content, html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { listInWords } from '../site/list-rules.ts'
import { markdownOf } from '../site/markdown.ts'
import { foldNames } from './fold-rules.ts'

/** The description and the affected items, which incidents and maintenances share. */

export type Incident = PageView['open_incidents'][number]
export type Maintenance = PageView['active_maintenances'][number]
export type Kind = 'incident' | 'maintenance'

/** What the records of a page need besides its site. */
export interface RecordContext extends SiteContext {
  /** The name of an affected item. */
  label: ReturnType<typeof nameOf>
}

export const recordContext = (context: SiteContext, items: PageView['items'] = []): RecordContext => ({
  ...context,
  label: nameOf(items),
})

type Part = (kind: Kind, record: Incident | Maintenance, context: RecordContext) => Markup | undefined

/** The description, the impact and the affected items. */
export const about: Part = (kind, record, context) =>
  html`${[description, impact, affected].map((part) => part(kind, record, context))}`

export const description: Part = (kind, { id, description: text }, { languages }) =>
  text
    ? html`<div class="prose" dir="auto"${languages.of(kind, id, 'description')}>${markdownOf(text)}</div>`
    : undefined

export const impact: Part = (kind, { id, impact: words }, { languages, text }) =>
  words
    ? html`<p class="about"><b>${text('page.incident.impact')}</b> <bdi${languages.of(kind, id, 'impact')}>${words}</bdi></p>`
    : undefined

/** The affected items, if the settings show them. */
export const affected: Part = (kind, record, context) => {
  const { label, labels, languages, link, text, site } = context
  if (!site.settings.show_incident_affected_summary) return undefined
  const listed = (parts: Content[]) => listInWords(parts, labels.language)
  const { id, affected_items_freetext: freetext, affected_items = [] } = record
  const lang = languages.of(kind, id, 'affected_items_freetext')
  const names = affected_items.map((item) => {
    const name = html`<bdi${languages.original}>${label(item)}</bdi>`
    return item.archived ? name : html`<a href="${link(`/items/${item.id}`)}">${name}</a>`
  })
  if (freetext) names.push(html`<span dir="auto"${lang}>${freetext}</span>`)
  if (names.length === 0) return undefined
  const { shown, folded } = foldNames(names)
  const rest = html`<details class="more">
    <summary><span class="fold">${text('page.incident.affected_more', { count: folded.length })}</span></summary>
    <p class="about">${listed(folded)}</p>
  </details>`
  return html`<p class="about"><b>${text('page.incident.affected')}</b> ${listed(shown)}</p>${folded.length > 0 && rest}`
}
