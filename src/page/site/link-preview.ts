import { html, type Markup } from '../markup.ts'
import type { SiteContext } from './context.ts'

/** The picture of a page, and its size. */
export const PREVIEW_PATH = '/preview.png'
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

interface Words {
  title: string
  description: string
}

/** How chats and social networks show a link to the page. */
export function linkPreview({ title, description }: Words, context: SiteContext): Markup {
  const { site, place, text } = context
  const image = html`
    <meta property="og:image" content="${place.url}${PREVIEW_PATH}">
    <meta property="og:image:type" content="image/png">
    <meta property="og:image:width" content="${PREVIEW_SIZE.width}">
    <meta property="og:image:height" content="${PREVIEW_SIZE.height}">
    <meta property="og:image:alt" content="${text('page.preview', { page: site.name })}">`
  return html`
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${site.name}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    ${place.url && image}
    <meta name="twitter:card" content="${place.url ? 'summary_large_image' : 'summary'}">`
}
