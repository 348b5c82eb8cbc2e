import { node } from './elements.ts'
import type { State } from './state.ts'
import { css } from './style.ts'

/** The page that has the script: where the script comes from, and the elements that show something. */

const found = document.currentScript ?? document.querySelector('script[src*="/embed.js"]')
export const script = found instanceof HTMLScriptElement ? found : undefined

const source = new URL(script?.src ?? location.href)
/** The address of the status page. */
export const base = source.origin + source.pathname.replace(/\/embed\.js$/, '')

/** The parameters of the script that its reads keep. */
export function keptParameters(): URLSearchParams {
  const names = ['locale', 'access'].filter((name) => source.searchParams.has(name))
  return new URLSearchParams(names.map((name) => [name, source.searchParams.get(name) ?? '']))
}

/** A page may have the script twice, once for each part. */
export function isFirst(): boolean {
  const mark = Symbol.for(`upbeat ${base}`) as unknown as keyof Document
  if (mark in document) return false
  Object.defineProperty(document, mark, { value: true })
  return true
}

const theme = script?.dataset.theme
export const scheme = matchMedia('(prefers-color-scheme: dark)')
export const isDark = () => (theme === 'dark' || theme === 'light' ? theme === 'dark' : scheme.matches)

/** An element of the page with a closed root, which keeps what is shown until the next state. */
export function place(host: HTMLElement): (state: State, ...children: Node[]) => void {
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  return ({ language, direction }, ...children) => {
    host.lang = language
    host.dir = direction
    root.replaceChildren(
      node('div', { class: isDark() ? 'all dark' : 'all', lang: language, dir: direction }, ...children),
    )
  }
}
