import type { EmbedView } from '../domain/embeds/read.ts'
import { notFound } from '../domain/kernel/errors.ts'
import { headersOf } from '../page/headers.ts'
import { icon, iconSheet } from '../page/icons.ts'
import { html, type Markup } from '../page/markup.ts'
import { contextOf, type SiteContext } from '../page/site/context.ts'
import { timeElement } from '../page/site/times.ts'
import { smallDocument } from '../page/small-document.ts'
import type { ReadPlace, Rendered } from '../web/read-addresses.ts'
import { embedStyle } from './style.ts'

/** A small document for a frame on pages of others, complete without scripts. */
export function renderFrame(view: EmbedView, { url, path }: ReadPlace, theme: string | undefined): Rendered {
  const { widget, settings } = view
  if (!widget) throw notFound('widget')
  const context = contextOf(view, { base: url, path })
  const { text, look, link, labels, languages } = context
  const title = settings.embed_widget_title || view.name
  const style = embedStyle(view, theme)
  const body = html`${iconSheet()}<main>
    ${settings.embed_widget_eyebrow && html`<p class="eyebrow"><bdi${languages.ofSetting('embed_widget_eyebrow')}>${settings.embed_widget_eyebrow}</bdi></p>`}
    <h1><bdi>${title}</bdi></h1>
    <p class="state">${icon(look(widget.status))}<span>${widget.sentence}</span></p>
    ${widget.entries.length > 0 && html`<ul>${widget.entries.map((entry) => entryOf(entry, context))}</ul>`}
    <p><a href="${link('/')}" target="_blank" rel="noopener">${text('embed.page')}</a></p>
  </main>`
  const document = smallDocument({ title, style, body, language: labels.language })
  const headers = headersOf({ style, framed: true })
  return { body: document, type: headers['Content-Type'], headers }
}

type Entry = NonNullable<EmbedView['widget']>['entries'][number]

const entryOf = ({ kind, id, title, status, at }: Entry, { look, link, reading }: SiteContext): Markup =>
  html`<li>${icon(look(status))}<a href="${link(`/${kind}s/${id}`)}" target="_blank" rel="noopener"><bdi>${title}</bdi></a>
    <small>${look(status).name} · ${timeElement(at, reading)}</small></li>`
