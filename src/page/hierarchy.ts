import { type Group, nest } from '../domain/pages/summary/state-rules.ts'
import type { PageView } from '../domain/pages/views/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { isCalm, isFoldable } from './rules.ts'
import type { RenderContext } from './timeline.ts'

export function renderHierarchy({ items, status_types }: PageView, { look, languages }: RenderContext): Markup {
  const row = (group: Group, folds: boolean) => renderRow(group, { look, languages, folds })
  const list = (groups: Group[], inside = false): Markup[] =>
    groups.map((group) => {
      const folds = isFoldable(group, inside)
      const children = group.children.length > 0 && html`<ul role="list">${list(group.children, inside || folds)}</ul>`
      if (!folds) return html`<li><div class="row">${row(group, false)}</div>${children}</li>`
      const open = isCalm(group, status_types) ? '' : ' open'
      return html`<li><details${open}><summary class="row">${row(group, true)}</summary>${children}</details></li>`
    })
  if (items.length === 0) return html`<p class="card none">Nothing is listed here yet.</p>`
  return html`<ul role="list" class="card tree">${list(nest(items))}</ul>`
}

interface RowContext extends Pick<RenderContext, 'look' | 'languages'> {
  folds: boolean
}

function renderRow({ item, size }: Group, { look, languages, folds }: RowContext): Markup {
  const seen = look(item.status)
  const count = folds && html` <span class="soft count fold">${size} components</span>`
  const description = item.description && html`<small dir="auto"${languages.original}>${item.description}</small>`
  return html`
    <span class="name"><bdi${languages.original}>${item.name}</bdi>${count}${description}</span>
    <span class="is${seen.calm ? ' ok' : ''}"><bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi>${icon(seen)}</span>
  `
}
