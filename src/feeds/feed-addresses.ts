import { getCustomFeed, getItemFeed, getPageFeed } from '../domain/feeds/public.ts'
import { getViewFeed } from '../domain/feeds/view-feed.ts'
import type { FeedView } from '../domain/feeds/view-schema.ts'
import { canonicalLocale } from '../domain/settings/rules.ts'
import { admitToView } from '../web/access/view-access.ts'
import type { ReadAddress } from '../web/read-addresses.ts'
import { type FeedFormat, feedFormats, renderFeed } from './render.ts'

type Parameters = Record<string, string>
type Query = Record<string, string | string[] | undefined>

const parameters = ({ entries }: Query): Parameters => (entries === 'incidents' ? { entries } : {})

/** A custom feed has its own language, which takes precedence over the languages of the browser. */
function parametersOfCustom(query: Query): Parameters {
  const locale = typeof query.locale === 'string' ? canonicalLocale(query.locale) : undefined
  return { ...parameters(query), ...(locale === undefined ? {} : { asked_locale: locale }) }
}

const feedInPath = ({ id }: Parameters) => Number(id)

const addressesIn = (format: FeedFormat): ReadAddress[] => {
  const shared = {
    parameters,
    input: (asked: Parameters, { view_code }: Parameters) =>
      view_code === undefined ? { format, ...asked } : { format, ...asked, view_code },
    render: ((view: FeedView, place, { entries }) =>
      renderFeed(view, place, { format, perUpdate: entries !== 'incidents' })) satisfies ReadAddress['render'],
  }
  return [
    { ...shared, path: `/feed.${format}`, operation: getPageFeed, feed: () => format },
    { ...shared, path: `/items/:id/feed.${format}`, operation: getItemFeed, feed: () => format },
    { ...shared, path: `/v/:view_code/feed.${format}`, operation: getViewFeed, admit: admitToView },
    {
      ...shared,
      path: `/feeds/:id.${format}`,
      operation: getCustomFeed,
      parameters: parametersOfCustom,
      feed: feedInPath,
    },
  ]
}

/** The feeds of the page, of its items and views, and those that administrators made. */
export const feedAddresses: ReadAddress[] = feedFormats.flatMap(addressesIn)
