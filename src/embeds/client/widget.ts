import { link, list, node, sign } from './elements.ts'
import { isDark, place } from './host.ts'
import type { State } from './state.ts'

const widgets = new Map<HTMLElement, ReturnType<typeof place>>()

const shownIn = new Map<HTMLElement, string>()

export function showWidgets(state: State): void {
  const { widget, labels, url } = state
  for (const host of document.querySelectorAll<HTMLElement>('[data-upbeat-widget]')) {
    if (!widgets.has(host) && host.shadowRoot === null && widget) {
      try {
        widgets.set(host, place(host))
      } catch {
        continue
      }
    }
    const show = widgets.get(host)
    const described = JSON.stringify([widget, state.language, isDark()])
    // Readers of the card keep their place and the focus in it.
    if (!show || shownIn.get(host) === described) continue
    shownIn.set(host, described)
    if (!widget) {
      show(state)
      continue
    }
    const eyebrow = widget.eyebrow === '' ? [] : [node('p', { class: 'eyebrow', dir: 'auto' }, widget.eyebrow)]
    const body = [
      ...eyebrow,
      node('h2', { dir: 'auto' }, widget.title),
      node('p', { class: 'state', role: 'status' }, sign(widget), node('span', {}, widget.sentence)),
      ...list(widget.entries, state.language),
      link(url, { class: 'more' }, labels.page),
    ]
    show(state, node('section', { class: 'card', 'aria-label': widget.title }, ...body))
  }
}
