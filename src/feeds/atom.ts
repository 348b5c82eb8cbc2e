import { html, type Markup } from '../page/markup.ts'
import type { FeedDocument } from './feed-document.ts'

/** Atom, RFC 4287. */
export const atomOf = (feed: FeedDocument): Markup => html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title type="text">${feed.title}</title>
<subtitle type="text">${feed.description}</subtitle>
<updated>${feed.updated}</updated>
<author><name>${feed.author}</name></author>
<link rel="self" type="application/atom+xml" href="${feed.self}"/>
<link rel="alternate" type="text/html" href="${feed.alternate}"/>
${feed.entries.map(
  (entry) => html`<entry>
<id>${entry.id}</id>
<title type="text">${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.link}"/>
<published>${entry.published}</published>
<updated>${entry.updated}</updated>
<category term="${entry.category}"/>
<content type="html">${entry.content}</content>
</entry>
`,
)}</feed>
`
