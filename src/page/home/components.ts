import { type Group, nest } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import { icon } from '../icons.ts'
import { barsData, type Drawer, drawerOf, renderScale, renderUptime } from '../items/bars.ts'
import { html, type Markup } from '../markup.ts'
import type { RecordContext } from '../records/about.ts'
import { isCalm, isFoldable, subtreeOf, type View, viewsOf } from './rules.ts'

export interface Asked {
  /** The view of the items that the reader chose. */
  view?: string
  /** Whether the reader asked for all items instead of the default one. */
  all: boolean
}

/** `parents`: the items above it, which the row names. */
interface RowOptions {
  folds?: boolean
  parents?: Group[]
}
type Row = (group: Group, options?: RowOptions) => Markup

/** The items with their statuses and bars, as a tree or as one list. */
export function renderComponents(page: PageView, asked: Asked, context: RecordContext): Markup {
  const { text } = context
  if (page.items.length === 0) return html`<p class="card none">${text('page.components.none')}</p>`
  const { views, view } = viewsOf(page.settings, asked.view)
  const { show_component_by_default, default_component_item_id: only } = page.settings
  const part = show_component_by_default && !asked.all && only !== null ? subtreeOf(page.items, only) : undefined
  const items = part ?? page.items
  const histories = new Map(page.history?.items.map((one) => [one.item.id, one]))
  const drawer = drawerOf(context)
  const bars = (id: number) => {
    const found = histories.get(id)
    return found && drawer.draw(found)
  }
  const rowOf: Row = (group, options) => {
    const found = histories.get(group.item.id)
    return renderRow(group, { ...options, uptime: found && renderUptime(found, context) }, context)
  }
  const groups = nest(items)
  const list = view === 'tree' ? tree(groups, { page, rowOf, bars }) : basic(groups, { page, rowOf, bars })
  return html`
    ${views.length > 1 && switchOf(views, view, asked, context)}
    <ul role="list" class="card tree">${list}</ul>
    ${part && html`<p class="about more"><a href="${context.link('/', { items: 'all' })}">${text('page.components.all')}</a></p>`}
    ${page.history && renderScale(page.history.days, context)}
    ${page.history && legend(drawer, context)}
    ${page.history && barsData({ history: page.history, happened: page.happened }, context)}
  `
}

interface Parts {
  page: PageView
  rowOf: Row
  bars: (id: number) => Markup | undefined
}

function tree(groups: Group[], parts: Parts, inside = false): Markup[] {
  const { page, rowOf, bars } = parts
  return groups.map((group) => {
    const folds = isFoldable(group, inside)
    const children =
      group.children.length > 0 && html`<ul role="list">${tree(group.children, parts, inside || folds)}</ul>`
    const strip = bars(group.item.id)
    if (!folds)
      return html`<li id="item-${group.item.id}"><div class="row">${rowOf(group)}</div>${strip}${children}</li>`
    const open = isCalm(group, page.status_types) ? '' : ' open'
    return html`<li id="item-${group.item.id}"><details${open}><summary class="row">${rowOf(group, { folds: true })}</summary>${children}</details>${strip}</li>`
  })
}

/** All items in one list, each after its parent. */
function basic(groups: Group[], parts: Parts, parents: Group[] = []): Markup[] {
  const { rowOf, bars } = parts
  return groups.flatMap((group) => [
    html`<li id="item-${group.item.id}"><div class="row">${rowOf(group, { parents })}</div>${bars(group.item.id)}</li>`,
    ...basic(group.children, parts, [...parents, group]),
  ])
}

function renderRow(
  { item, size }: Group,
  { folds = false, parents = [], uptime }: RowOptions & { uptime: Markup | undefined },
  { look, languages, text, link }: RecordContext,
): Markup {
  const seen = look(item.status)
  const count = folds && html` <span class="soft count fold">${text('page.components.count', { count: size })}</span>`
  const description =
    item.description &&
    html`<small dir="auto"${languages.of('item', item.id, 'description')}>${item.description}</small>`
  const nameOf = ({ id, name }: Group['item']) => html`<bdi${languages.of('item', id, 'name')}>${name}</bdi>`
  const name = nameOf(item)
  const path = parents.map((parent) => html`${nameOf(parent.item)} / `)
  return html`
    <span class="name">${path.length > 0 && html`<span class="path">${path}</span>`}${folds ? name : html`<a href="${link(`/items/${item.id}`)}">${name}</a>`}${count}${description}</span>
    ${uptime}
    <span class="is${seen.calm ? ' ok' : ''}"><bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi>${icon(seen)}</span>
  `
}

function switchOf(views: View[], current: View, { all }: Asked, { link, place, text }: RecordContext): Markup {
  const one = (view: View) =>
    html`<a href="${link(place.path, { view, ...(all ? { items: 'all' } : {}) })}#components"${view === current && html` aria-current="true"`}>${text(`page.components.${view}`)}</a>`
  return html`<nav class="views" aria-label="${text('page.components.views')}">${views.map(one)}</nav>`
}

/** What the colours of the bars mean. */
function legend({ used }: Drawer, { site, look, languages, text }: RecordContext): Markup {
  const names = site.status_types.filter(({ key }) => used.has(key)).map(({ key }) => look(key))
  return html`<p class="legend">
    ${names.map((seen) => html`<span>${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span>`)}
    ${used.has(null) && html`<span>${text('page.day.no_data')}</span>`}
  </p>`
}
