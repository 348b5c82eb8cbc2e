import { getItemFeed, getPageFeed } from '../domain/feeds/public.ts'
import { getViewFeed } from '../domain/feeds/view-feed.ts'
import type { FeedView } from '../domain/feeds/view-schema.ts'
import { admitToView } from '../web/access/view-access.ts'
import type { ReadAddress } from '../web/read-addresses.ts'
import { type FeedFormat, feedFormats, renderFeed } from './render.ts'

type Parameters = Record<string, string>

const parameters = ({ entries }: { entries?: string | string[] | undefined }): Parameters =>
  entries === 'incidents' ? { entries } : {}

const input = (asked: Parameters, { view_code }: Parameters) =>
  view_code === undefined ? asked : { ...asked, view_code }

const rendered =
  (format: FeedFormat): ReadAddress['render'] =>
  (view: FeedView, place, { entries }) =>
    renderFeed(view, place, { format, perUpdate: entries !== 'incidents' })

/** The feeds of the page, of its items and of its views. */
export const feedAddresses: ReadAddress[] = feedFormats.flatMap((format) => [
  { path: `/feed.${format}`, operation: getPageFeed, parameters, input, render: rendered(format) },
  {
    path: `/v/:view_code/feed.${format}`,
    operation: getViewFeed,
    parameters,
    input,
    render: rendered(format),
    admit: admitToView,
  },
  { path: `/items/:id/feed.${format}`, operation: getItemFeed, parameters, input, render: rendered(format) },
])
