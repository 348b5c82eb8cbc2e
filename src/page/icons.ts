import { iconPaths } from './icon-paths.ts'
import { html, type Markup } from './markup.ts'
import type { StatusAppearance } from './status-appearance.ts'

/** `b` is the body, `g` the sign on it. */
const drawingOf = ({ body, sign }: { body: string; sign: string }): Markup =>
  html`<path class="b" d="${body}"/>${sign && html`<path class="g" d="${sign}"/>`}`

/** The drawings, to which all icons refer. */
export function iconSheet(): Markup {
  const symbols = Object.entries(iconPaths).map(
    ([shape, paths]) => html`<symbol id="i-${shape}" viewBox="0 0 16 16">${drawingOf(paths)}</symbol>`,
  )
  return html`<svg class="sheet">${symbols}</svg>`
}

/** All items with a status have one look. */
const icons = new WeakMap<StatusAppearance, Markup>()

export function icon(look: StatusAppearance): Markup {
  const known = icons.get(look)
  if (known) return known
  const drawn = html`<svg class="${look.className}" aria-hidden="true"><use href="#i-${look.shape}"/></svg>`
  icons.set(look, drawn)
  return drawn
}

/** The icon of the browser tab shows the state of the page and avoids a request for /favicon.ico. */
export function favicon(look: StatusAppearance): Markup {
  const drawing = drawingOf(iconPaths[look.shape])
    .markup.replaceAll('class="b"', `fill="${look.color}"`)
    .replaceAll('class="g"', `fill="none" stroke="${look.ink}" stroke-width="1.8" stroke-linecap="round"`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${drawing}</svg>`
  return html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`
}
