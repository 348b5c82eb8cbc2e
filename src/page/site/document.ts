import { directionOf } from '../../languages/labels.ts'
import { browserScripts, themeScript } from '../browser/scripts.ts'
import { iconSheet } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { browserLabels } from './browser-labels.ts'
import type { SiteContext } from './context.ts'
import { feedsInHead } from './feed-links.ts'
import { renderFooter } from './footer.ts'
import { renderHeader } from './header.ts'
import { linkPreview } from './link-preview.ts'
import { siteStyle } from './site-style.ts'
import { updatedInWords } from './times.ts'

interface Contents {
  title: string
  description: string
  icon: Markup
  body: Markup
  /** The front page: the name of the page is its heading, and the links are below it. */
  isHome?: boolean
  /** Search engines leave the page out. */
  unlisted?: boolean
}

/** A whole page as one document: only scripts, and images of the settings, need further requests. */
export function renderDocument(
  context: SiteContext,
  { title, description, icon, body, isHome, unlisted }: Contents,
): string {
  const { site, labels, place } = context
  const { settings } = site
  const stale = context.text('page.stale', { time: updatedInWords(site.generated_at, context.reading) })
  const { color_scheme } = settings.public_theme_profile
  const markup = html`<!doctype html>
    <html lang="${labels.language}" dir="${directionOf(labels.language)}"${color_scheme !== 'auto' && html` data-theme="${color_scheme}"`} data-dates="${site.date_locale}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="${color_scheme === 'auto' ? 'light dark' : color_scheme}">
    <title>${title}</title>
    <meta name="description" content="${description}">
    ${linkPreview({ title, description }, context)}
    ${unlisted && html`<meta name="robots" content="noindex">`}
    ${site.languages.map((locale) => html`<link rel="alternate" hreflang="${locale}" href="${context.translated(locale)}">`)}
    ${feedsInHead(context)}
    ${settings.favicon_url ? html`<link rel="icon" href="${settings.favicon_url}">` : icon}
    <style>${{ markup: siteStyle(site) }}</style>
    <script>${{ markup: themeScript }}</script>
    ${settings.custom_head_script_url && html`<script defer src="${settings.custom_head_script_url}"></script>`}
    </head>
    <body data-stream="${place.base}/api/v1/pages/public/${site.slug}/stream${place.revision !== undefined && `?revision=${place.revision}`}">
    <a class="skip" href="#main">${context.text('page.nav.skip')}</a>
    ${iconSheet()}
    ${renderHeader(context, { isHome: isHome === true })}
    <p class="card" role="status" data-stale hidden>${stale}</p>
    ${place.preview && html`<p class="card" data-preview>${context.text(place.preview === 'shown' ? 'page.css_preview.shown' : 'page.css_preview.ended')}</p>`}
    <main id="main">${body}</main>
    ${renderFooter(context)}
    <p class="hidden" role="status" data-announce></p>
    <script type="application/json" id="labels-data">${{ markup: browserLabels(context) }}</script>
    ${browserScripts()}
    ${settings.custom_body_script_url && html`<script defer src="${settings.custom_body_script_url}"></script>`}
    </body>
    </html>
  `
  return `${markup.markup}\n`
}
