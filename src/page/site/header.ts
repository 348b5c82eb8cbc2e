import type { Settings } from '../../domain/settings/schema.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from './context.ts'

/** The header of all pages. `isHome`: the name of the page is its heading. */
export function renderHeader(context: SiteContext, { isHome }: { isHome: boolean }): Markup {
  const { site, place, text, languages, link } = context
  const { settings } = site
  const name = html`<bdi${languages.ofSetting('site_title')}>${site.name}</bdi>`
  const title = titleOf(name, settings)
  const subtitle =
    settings.site_subtitle &&
    html`<p class="subtitle"><bdi${languages.ofSetting('site_subtitle')}>${settings.site_subtitle}</bdi></p>`
  const identity = html`<a class="identity" href="${link('/')}">${logos(settings)}${isHome ? html`<h1>${title}</h1>` : html`<span class="site">${title}</span>`}</a>`
  return html`<header class="top">
    <div class="bar">
      <div class="who">${identity}${subtitle}</div>
      <nav aria-label="${text('page.nav.main')}">
        ${settings.header_navigation_links.map((one) => html`<a ${targetOf(one)}${languages.ofSetting('link_labels')}>${one.label}</a>`)}
        <a href="${link('/search')}">${text('page.nav.search')}</a>
        ${settings.header_show_theme_toggle && themeToggle(context)}
        ${settings.header_show_subscribe && html`<a class="${settings.header_action_style === 'button' ? 'button' : 'action'}" href="${link('/subscribe', place.view === undefined ? {} : { view: place.view })}">${text('page.nav.subscribe')}</a>`}
      </nav>
    </div>
  </header>`
}

type Identity = Pick<Settings, 'show_site_title' | 'header_identity_mode' | 'logo_url' | 'logo_url_dark'>

/** The title, hidden where a logo stands for it. A dark logo alone stands for it in a dark view. */
export function titleOf(
  name: Markup,
  { show_site_title, header_identity_mode: mode, logo_url, logo_url_dark }: Identity,
): Markup {
  const hasTitle = mode === 'title' || (mode === 'logo_and_title' && show_site_title)
  if (hasTitle || (logo_url === '' && logo_url_dark === '')) return name
  if (logo_url !== '') return html`<span class="hidden">${name}</span>`
  return html`<span class="in-light">${name}</span><span class="in-dark hidden">${name}</span>`
}

export function logos({
  header_identity_mode: mode,
  logo_url: light,
  logo_url_dark: dark,
}: Identity): Markup | undefined {
  if (mode === 'title') return undefined
  const image = (address: string, className: string) =>
    address !== '' && html`<img class="logo${className}" src="${address}" alt="" width="40" height="40">`
  return dark === '' ? html`${image(light, '')}` : html`${image(light, ' in-light')}${image(dark, ' in-dark')}`
}

/** Only the script shows the button, because the button needs the script. */
const themeToggle = ({ text }: SiteContext) =>
  html`<button class="quiet theme" data-theme-toggle hidden aria-label="${text('page.nav.theme')}"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.5"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13z"/></svg></button>`

/** The attributes of a link of the settings. */
export const targetOf = ({ url, new_tab }: { url: string; new_tab: boolean }): Markup =>
  html`href="${url}"${new_tab && html` target="_blank" rel="noopener noreferrer"`}`
