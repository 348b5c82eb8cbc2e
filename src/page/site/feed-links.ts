import { html, type Markup } from '../markup.ts'
import type { SiteContext } from './context.ts'

const formats = {
  rss: { name: 'RSS', type: 'application/rss+xml' },
  atom: { name: 'Atom', type: 'application/atom+xml' },
}

/** The page of an item or of a view has a feed of its own; all other pages have the feed of the whole page. */
const OWN_FEED = /^\/(?:items|v)\/[^/]+$/

function feedsOf({ site, place, link }: SiteContext) {
  const base = OWN_FEED.test(place.path) ? place.path : ''
  return site.feeds.map((format) => ({ ...formats[format], address: link(`${base}/feed.${format}`) }))
}

/** By which programs find the feeds of a page. */
export const feedsInHead = (context: SiteContext): Markup[] =>
  feedsOf(context).map(
    ({ name, type, address }) =>
      html`<link rel="alternate" type="${type}" title="${context.site.name} (${name})" href="${address}">`,
  )

export const feedsInFooter = (context: SiteContext): Markup[] =>
  feedsOf(context).map(({ name, type, address }) => html`<a href="${address}" type="${type}">${name}</a>`)
