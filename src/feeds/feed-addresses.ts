import { getItemFeed, getPageFeed } from '../domain/feeds/public.ts'
import type { FeedView } from '../domain/feeds/view-schema.ts'
import type { ReadAddress } from '../web/read-addresses.ts'
import { type FeedFormat, feedFormats, renderFeed } from './render.ts'

type Parameters = Record<string, string>

const parameters = ({ entries }: { entries?: string | string[] | undefined }): Parameters =>
  entries === 'incidents' ? { entries } : {}

const input = (asked: Parameters) => asked

const rendered =
  (format: FeedFormat): ReadAddress['render'] =>
  (view: FeedView, place, { entries }) =>
    renderFeed(view, place, { format, perUpdate: entries !== 'incidents' })

/** The feeds of the page and of its items. */
export const feedAddresses: ReadAddress[] = feedFormats.flatMap((format) => [
  { path: `/feed.${format}`, operation: getPageFeed, parameters, input, render: rendered(format) },
  { path: `/items/:id/feed.${format}`, operation: getItemFeed, parameters, input, render: rendered(format) },
])
