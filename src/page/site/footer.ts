import { directionOf } from '../../languages/labels.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from './context.ts'
import { feedsInFooter } from './feed-links.ts'
import { targetOf } from './header.ts'
import { inlineMarkdownOf } from './markdown.ts'
import { updatedAt } from './times.ts'

export function renderFooter(context: SiteContext): Markup {
  const { site, reading, text, languages, link } = context
  const { footer_text, footer_navigation_links } = site.settings
  return html`<footer>
    ${footer_text && html`<p class="prose" dir="auto"${languages.ofSetting('footer_text')}>${inlineMarkdownOf(footer_text)}</p>`}
    <p class="row-of">
      <span data-updated>${text('page.updated')} ${updatedAt(site.generated_at, reading)}</span>
      ${site.settings.header_show_timezone && timeZone(context)}
    </p>
    <nav class="row-of" aria-label="${text('page.nav.footer')}">
      <a href="${link('/history')}">${text('page.nav.history')}</a>
      ${footer_navigation_links.map((one) => html`<a ${targetOf(one)}${languages.ofSetting('link_labels')}>${one.label}</a>`)}
      ${feedsInFooter(context)}
      <a href="/api/docs">API</a>
    </nav>
    ${site.languages.length > 0 && languageSwitch(context)}
  </footer>`
}

/** Only the script offers the zone of the reader, because the script knows it. */
const timeZone = ({ site, text }: SiteContext) =>
  html`<span data-zone="${site.time_zone}"><span data-zone-name>${text('page.zone', { zone: site.time_zone })}</span> <button class="quiet" data-zone-toggle hidden></button></span>`

const languageSwitch = ({ site, translated, text }: SiteContext): Markup =>
  languageLinks({ languages: site.languages, current: site.language, addressIn: translated, text })

interface LanguageChoice {
  languages: string[]
  current: string
  /** The address of the document in a language. */
  addressIn: (locale: string) => string
  text: SiteContext['text']
}

/** Links to the same document in the other languages of the page. */
export function languageLinks({ languages, current, addressIn, text }: LanguageChoice): Markup {
  const one = (locale: string) => {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
    return html`<a href="${addressIn(locale)}" lang="${locale}" dir="${directionOf(locale)}" hreflang="${locale}"${locale === current && html` aria-current="true"`}>${name}</a>`
  }
  return html`<nav class="row-of languages" aria-label="${text('page.nav.languages')}">${languages.map(one)}</nav>`
}
