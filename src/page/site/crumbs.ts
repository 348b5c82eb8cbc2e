import { html, type Markup } from '../markup.ts'
import type { SiteContext } from './context.ts'

/** The way back to the front page. */
export const crumbs = ({ link, text }: SiteContext, more: Markup[] = []): Markup =>
  html`<nav class="crumbs" aria-label="${text('page.nav.path')}"><a href="${link('/')}">${text('page.nav.home')}</a>${more.map((one) => html` <span aria-hidden="true">/</span> ${one}`)}</nav>`
