import { html, type Markup } from './markup.ts'
import type { Shape, StatusAppearance } from './status-appearance.ts'

/** Each shape has its own outline, so that colour is not needed: `b` is the body, `g` the sign on it. */
const drawings: Record<Shape, Markup> = {
  check: html`<circle class="b" cx="8" cy="8" r="7"/><path class="g" d="M4.9 8.3l2.2 2.2 4-4.6"/>`,
  wrench: html`<rect class="b" x="1" y="1" width="14" height="14" rx="4"/>
    <path class="g" d="M5 11l3.4-3.4M11 4.6a2.3 2.3 0 1 0 .6 2.6L9.9 7.3l-.8-1.5z"/>`,
  minus: html`<path class="b" d="M8 .8 15.2 8 8 15.2.8 8z"/><path class="g" d="M5.2 8h5.6"/>`,
  alert: html`<path class="b" d="M8 1.2 15.3 14.4H.7z"/><path class="g" d="M8 6v3.6M8 11.9v.1"/>`,
  cross: html`<path class="b" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"/>
    <path class="g" d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8"/>`,
  dot: html`<circle class="b" cx="8" cy="8" r="5"/>`,
}

/** The drawings, to which all icons refer. */
export function iconSheet(): Markup {
  const symbols = Object.entries(drawings).map(
    ([shape, drawing]) => html`<symbol id="i-${shape}" viewBox="0 0 16 16">${drawing}</symbol>`,
  )
  return html`<svg class="sheet">${symbols}</svg>`
}

export function icon(look: StatusAppearance): Markup {
  return html`<svg class="${look.className}" aria-hidden="true"><use href="#i-${look.shape}"/></svg>`
}

/** The icon of the browser tab shows the state of the page and avoids a request for /favicon.ico. */
export function favicon(look: StatusAppearance): Markup {
  const drawing = drawings[look.shape].markup
    .replaceAll('class="b"', `fill="${look.color}"`)
    .replaceAll('class="g"', `fill="none" stroke="${look.ink}" stroke-width="1.8" stroke-linecap="round"`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${drawing}</svg>`
  return html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`
}
