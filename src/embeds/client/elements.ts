import { iconPaths } from '../../page/icon-paths.ts'
import type { Entry } from './state.ts'

export function node<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

export function sign({ color, ink, shape }: { color: string; ink: string; shape: string }): SVGElement {
  const draw = (name: string, attributes: Record<string, string>) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    return made as SVGElement
  }
  const svg = draw('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' })
  const { body, sign: mark } = iconPaths[shape as keyof typeof iconPaths] ?? iconPaths.dot
  svg.append(draw('path', { d: body, fill: color }))
  const line = { fill: 'none', stroke: ink, 'stroke-width': '1.8', 'stroke-linecap': 'round' }
  if (mark !== '') svg.append(draw('path', { ...line, d: mark }))
  return svg
}

export const link = (href: string, attributes: Record<string, string>, ...children: (Node | string)[]) =>
  node('a', { href, target: '_blank', rel: 'noopener', ...attributes }, ...children)

export function list(entries: Entry[], language: string): Node[] {
  if (entries.length === 0) return []
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const lines = entries.map((entry) => {
    const facts = [entry.name, entry.at === null ? '' : time.format(new Date(entry.at))].filter(Boolean)
    const text = node('span', {}, node('b', {}, node('bdi', {}, entry.title)), node('small', {}, facts.join(' · ')))
    return node('li', {}, link(entry.url, {}, sign(entry), text))
  })
  return [node('ul', {}, ...lines)]
}
