import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import type { Look } from './looks.ts'
import { html, type Markup } from './markup.ts'
import { type Group, isCalm, isFoldable, nest } from './rules.ts'

export function renderHierarchy({ items, status_types }: PageView, look: (status: string) => Look): Markup {
  const list = (groups: Group[], inside = false): Markup[] =>
    groups.map((group) => {
      const folds = isFoldable(group, inside)
      const children = group.children.length > 0 && html`<ul role="list">${list(group.children, inside || folds)}</ul>`
      if (!folds) return html`<li><div class="row">${row(group, look, false)}</div>${children}</li>`
      const open = isCalm(group, status_types) ? '' : ' open'
      return html`<li><details${open}><summary class="row">${row(group, look, true)}</summary>${children}</details></li>`
    })
  if (items.length === 0) return html`<p class="card none">Nothing is listed here yet.</p>`
  return html`<ul role="list" class="card tree">${list(nest(items))}</ul>`
}

function row(group: Group, look: (status: string) => Look, folds: boolean): Markup {
  const { item, size } = group
  const seen = look(item.status)
  const count = folds && html` <span class="soft count fold">${size} components</span>`
  const description = item.description && html`<small dir="auto">${item.description}</small>`
  return html`
    <span class="name"><bdi>${item.name}</bdi>${count}${description}</span>
    <span class="is${seen.calm ? ' ok' : ''}"><bdi>${seen.name}</bdi>${icon(seen)}</span>
  `
}
