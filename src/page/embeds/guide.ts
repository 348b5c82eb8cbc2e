import type { EmbedView } from '../../domain/embeds/read.ts'
import { favicon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { contextOf, type Place, type SiteContext } from '../site/context.ts'
import { crumbs } from '../site/crumbs.ts'
import { renderDocument } from '../site/document.ts'

/** How to show the state on pages of others: the code of everything that the settings enable, and how it looks. */
export function renderEmbedGuide(page: EmbedView, place: Place): string {
  const context = contextOf(page, place)
  const { text } = context
  const parts = [badge(page, context), widget(page, context), frame(page, context), launcher(page, context)]
  const isEmpty = parts.every((part) => part === undefined)
  const body = html`
    ${crumbs(context)}
    <h1>${text('embed.guide.title')}</h1>
    ${isEmpty ? html`<p class="card none">${text('embed.guide.none')}</p>` : html`<p>${text('embed.guide.intro')}</p>`}
    ${parts}
    ${(page.widget || page.launcher) && html`<script defer src="${place.base}/embed.js"></script>`}
  `
  const title = `${text('embed.guide.title')} – ${page.name}`
  return renderDocument(context, {
    ...{ title, description: text('embed.guide.intro'), icon: favicon(context.look('operational')), body },
    unlisted: true,
  })
}

interface Part {
  id: string
  title: string
  hint: string
  preview?: Markup
  codes: [name: string, code: string][]
}

const section = ({ id, title, hint, preview, codes }: Part, { text }: SiteContext): Markup =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
    <div class="card panel prose">
      <p>${hint}</p>
      ${preview && html`<p class="soft">${text('embed.guide.preview')}</p><div class="shown">${preview}</div>`}
      ${codes.map(([name, code]) => html`<p class="soft">${name}</p><pre tabindex="0" dir="ltr"><code>${code}</code></pre>`)}
    </div>
  </section>`

const addressOf = ({ place }: SiteContext) => place.url ?? place.base

function badge({ settings }: EmbedView, context: SiteContext): Markup | undefined {
  if (!settings.embed_badge_enabled) return undefined
  const { text, place } = context
  const url = addressOf(context)
  const label = settings.embed_badge_label || text('embed.badge.label')
  const plain = label.replace(/[[\]"<>&]/g, '')
  return section(
    {
      ...{ id: 'badge', title: text('embed.guide.badge'), hint: text('embed.guide.badge_text') },
      preview: html`<img src="${place.base}/badge.svg" alt="${label}"> <img src="${place.base}/badge.svg?style=rounded&theme=dark" alt="${label}">`,
      codes: [
        ['HTML', `<a href="${url}"><img src="${url}/badge.svg" alt="${plain}"></a>`],
        ['Markdown', `[![${plain}](${url}/badge.svg?style=rounded)](${url})`],
        [text('embed.guide.json'), `${url}/badge.json`],
      ],
    },
    context,
  )
}

const scriptOf = (url: string) => `<script async src="${url}/embed.js"></script>`

function widget({ widget }: EmbedView, context: SiteContext): Markup | undefined {
  if (!widget) return undefined
  const { text } = context
  return section(
    {
      ...{ id: 'widget', title: text('embed.guide.widget'), hint: text('embed.guide.widget_text') },
      preview: html`<div data-upbeat-widget></div>`,
      codes: [['HTML', `<div data-upbeat-widget></div>\n${scriptOf(addressOf(context))}`]],
    },
    context,
  )
}

function frame({ widget, name }: EmbedView, context: SiteContext): Markup | undefined {
  if (!widget) return undefined
  const { text, place } = context
  const title = text('embed.open', { page: name.replace(/["<>&]/g, '') })
  const code = (src: string) =>
    `<iframe src="${src}/embed/frame" title="${title}" width="420" height="320" frameborder="0"></iframe>`
  return section(
    {
      ...{ id: 'frame', title: text('embed.guide.frame'), hint: text('embed.guide.frame_text') },
      preview: html`<iframe src="${place.base}/embed/frame" title="${title}" width="420" height="320" loading="lazy"></iframe>`,
      codes: [['HTML', code(addressOf(context))]],
    },
    context,
  )
}

function launcher({ launcher }: EmbedView, context: SiteContext): Markup | undefined {
  if (!launcher) return undefined
  const { text } = context
  return section(
    {
      ...{ id: 'launcher', title: text('embed.guide.launcher'), hint: text('embed.guide.launcher_text') },
      codes: [['HTML', scriptOf(addressOf(context))]],
    },
    context,
  )
}
