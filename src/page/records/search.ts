import { shownTimes } from '../../domain/maintenances/shown-times-rules.ts'
import type { SearchPage } from '../../domain/pages/views/search-page.ts'
import { favicon, icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { contextOf, type Place, type SiteContext } from '../site/context.ts'
import { crumbs } from '../site/crumbs.ts'
import { renderDocument } from '../site/document.ts'
import { timeElement } from '../site/times.ts'

/** The form to search, and what was found. */
export function renderSearch(page: SearchPage, place: Place): string {
  const context = contextOf(page, place)
  const { text } = context
  const lists = [items(page, context), incidents(page, context), maintenances(page, context)]
  const nothing = page.query !== '' && lists.every((list) => list === undefined)
  const body = html`
    ${crumbs(context)}
    <h1>${text('page.search.title')}</h1>
    <form class="card panel finder" role="search" method="get">
      ${page.languages.length > 0 && html`<input type="hidden" name="locale" value="${page.language}">`}
      <input type="search" name="q" value="${page.query}" maxlength="200" aria-label="${text('page.search.field')}" placeholder="${text('page.search.field')}">
      <button class="button">${text('page.nav.search')}</button>
    </form>
    ${nothing && html`<p class="card none" role="status">${text('page.search.none')}</p>`}
    ${lists}
  `
  return renderDocument(context, {
    title: `${text('page.search.title')} – ${page.name}`,
    description: text('page.search.title'),
    icon: favicon(context.look('operational')),
    body,
    unlisted: true,
  })
}

function section(id: string, title: string, rows: Markup[]): Markup | undefined {
  if (rows.length === 0) return undefined
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul role="list" class="card panel results">${rows}</ul></section>`
}

const mark = (status: string, { look, languages }: SiteContext): Markup => {
  const seen = look(status)
  return html`<span class="mark">${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span>`
}

function items(page: SearchPage, context: SiteContext) {
  const { link, text, languages } = context
  const rows = page.items.map(
    ({ id, name, status, hierarchy_path }) =>
      html`<li><a href="${link(`/items/${id}`)}"><bdi${languages.of('item', id, 'name')}>${hierarchy_path ?? name}</bdi></a> ${mark(status, context)}</li>`,
  )
  return section('items', text('page.section.components'), rows)
}

type Found = { kind: 'incident' | 'maintenance'; record: { id: number; title: string; status: string } }

/** The title, the status and the start of a record. */
function recordRow({ kind, record }: Found, start: string | null | undefined, context: SiteContext): Markup {
  const { link, languages, reading } = context
  const { id, title, status } = record
  return html`<li><a href="${link(`/${kind}s/${id}`)}"><bdi${languages.of(kind, id, 'title')}>${title}</bdi></a> ${mark(status, context)} ${timeElement(start, reading)}</li>`
}

function incidents(page: SearchPage, context: SiteContext) {
  const rows = page.incidents.map((record) => recordRow({ kind: 'incident', record }, record.started_at, context))
  return section('incidents', context.text('page.search.incidents'), rows)
}

function maintenances(page: SearchPage, context: SiteContext) {
  const rows = page.maintenances.map((record) =>
    recordRow({ kind: 'maintenance', record }, shownTimes(record).from, context),
  )
  return section('maintenances', context.text('page.search.maintenances'), rows)
}
