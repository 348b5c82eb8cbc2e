import { html, type Markup } from '../page/markup.ts'
import type { FeedDocument } from './feed-document.ts'

/** RSS 2.0, with the link to itself that the RSS Advisory Board recommends. */
export const rssOf = (feed: FeedDocument): Markup => html`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${feed.alternate}</link>
<description>${feed.description}</description>
<language>${feed.language}</language>
<lastBuildDate>${dateOf(feed.updated)}</lastBuildDate>
<docs>https://www.rssboard.org/rss-specification</docs>
<atom:link rel="self" type="application/rss+xml" href="${feed.self}"/>
${feed.entries.map(
  (entry) => html`<item>
<title>${entry.title}</title>
<link>${entry.link}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${dateOf(entry.published)}</pubDate>
<category>${entry.category}</category>
<description>${entry.content}</description>
</item>
`,
)}</channel>
</rss>
`

/** A date as in RFC 822, with four digits of the year. */
const dateOf = (moment: string) => new Date(moment).toUTCString()
