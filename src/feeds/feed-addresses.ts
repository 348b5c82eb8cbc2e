import { renderCalendar } from '../calendar/calendar.ts'
import type { CalendarView } from '../domain/calendar/schema.ts'
import { getCustomCalendar } from '../domain/feeds/custom-calendar.ts'
import { getCustomFeed, getItemFeed, getPageFeed } from '../domain/feeds/public.ts'
import { getViewFeed } from '../domain/feeds/view-feed.ts'
import type { FeedView } from '../domain/feeds/view-schema.ts'
import { canonicalLocale } from '../domain/settings/rules.ts'
import { admitToView } from '../web/access/view-access.ts'
import type { ReadAddress } from '../web/read-addresses.ts'
import { type FeedFormat, feedFormats, renderFeed } from './render.ts'

type Parameters = Record<string, string>
type Query = Record<string, string | string[] | undefined>

const shape = ({ entries }: Query): Parameters => (entries === 'incidents' ? { entries } : {})

/** A feed that administrators made has its own language, which takes precedence over the languages of the browser. */
function language({ locale: asked }: Query): Parameters {
  const locale = typeof asked === 'string' ? canonicalLocale(asked) : undefined
  return locale === undefined ? {} : { asked_locale: locale }
}

const feedInPath = ({ id }: Parameters) => Number(id)

function addressesIn(format: FeedFormat): ReadAddress[] {
  const shared = {
    parameters: shape,
    input: (asked: Parameters, { view_code }: Parameters) =>
      view_code === undefined ? { format, ...asked } : { format, ...asked, view_code },
    render: ((view: FeedView, place, { entries }) =>
      renderFeed(view, place, { format, perUpdate: entries !== 'incidents' })) satisfies ReadAddress['render'],
  }
  const builtIn = { ...shared, feed: () => format }
  const custom = {
    ...shared,
    feed: feedInPath,
    parameters: (query: Query) => ({ ...shape(query), ...language(query) }),
  }
  return [
    { ...builtIn, path: `/feed.${format}`, operation: getPageFeed },
    { ...builtIn, path: `/items/:id/feed.${format}`, operation: getItemFeed },
    { ...builtIn, path: `/v/:view_code/feed.${format}`, operation: getViewFeed, admit: admitToView },
    { ...custom, path: `/feeds/:id.${format}`, operation: getCustomFeed },
  ]
}

const calendar: ReadAddress = {
  path: '/feeds/:id.ics',
  operation: getCustomCalendar,
  parameters: language,
  input: (asked) => asked,
  render: (view: CalendarView, place) => ({ body: renderCalendar(view, place), type: 'text/calendar; charset=utf-8' }),
  feed: feedInPath,
}

/** The feeds of the page, of its items and views, and those that administrators made. */
export const feedAddresses: ReadAddress[] = [...feedFormats.flatMap(addressesIn), calendar]
