import { permanentId } from '../domain/feeds/permanent-id-rules.ts'
import type { FeedEntry, FeedView } from '../domain/feeds/view-schema.ts'
import { contextOf, type SiteContext } from '../page/site/context.ts'
import type { ReadPlace, Rendered } from '../web/read-addresses.ts'
import { atomOf } from './atom.ts'
import { contentOf, titleOf } from './entry-content.ts'
import type { FeedDocument } from './feed-document.ts'
import { rssOf } from './rss.ts'
import { withoutForbidden } from './xml-rules.ts'

export const feedFormats = ['rss', 'atom'] as const
export type FeedFormat = (typeof feedFormats)[number]

const formats = {
  rss: { render: rssOf, type: 'application/rss+xml; charset=utf-8' },
  atom: { render: atomOf, type: 'application/atom+xml; charset=utf-8' },
}

interface Shape {
  format: FeedFormat
  /** One entry for each update, else one for each record. */
  perUpdate: boolean
}

/** A feed as a document, which depends on nothing else: an unchanged feed is the same text. */
export function renderFeed(view: FeedView, place: ReadPlace, shape: Shape): Rendered {
  const { render, type } = formats[shape.format]
  return { body: withoutForbidden(render(documentOf(view, place, shape)).markup), type }
}

function documentOf(view: FeedView, { url, path }: ReadPlace, { perUpdate }: Shape): FeedDocument {
  // Links in a feed are absolute: programs show the entries at their own addresses.
  const context = contextOf(view, { base: url, path })
  const { page, feed, entries } = view
  const shape: Record<string, string> = perUpdate ? {} : { entries: 'incidents' }
  const title = feed.name === undefined ? view.name : `${view.name}: ${feed.name}`
  return {
    id: permanentId(page, 'feed', [feed.kind, feed.id, ...Object.values(shape)].join(' ')),
    title,
    description: context.text('feed.description', { title }),
    author: view.name,
    language: view.language,
    self: context.link(path, shape),
    alternate: context.link(feed.path),
    updated: newest(entries) ?? page.created_at,
    entries: entries.map((entry) => ({
      id: permanentId(page, entry.kind, entry.id),
      title: titleOf(entry, perUpdate, context),
      link: linkOf(entry, context),
      published: entry.published,
      updated: entry.updated,
      content: contentOf(entry, perUpdate, context),
      category: entry.kind.startsWith('incident') ? 'incident' : 'maintenance',
    })),
  }
}

const newest = (entries: FeedEntry[]) =>
  entries
    .map(({ updated }) => updated)
    .sort()
    .at(-1)

const linkOf = ({ kind, record }: FeedEntry, { link }: SiteContext) =>
  link(`/${kind.startsWith('incident') ? 'incidents' : 'maintenances'}/${record.id}`)
