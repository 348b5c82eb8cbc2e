/** The reads of a page that are stored although no reader asked for them. Pure: no clock, no database. */

interface WarmPage {
  /** The bases of the addresses of the page: empty where its host names it, and `/status/{public_slug}`. */
  bases: string[]
  publicSlug: string
  /** The languages that the page offers besides the language of all answers without a choice. */
  locales: string[]
  /** The incidents whose pages are stored. */
  incidentIds: number[]
}

const DATA = ['settings', 'components', 'summary', 'metrics', 'history', 'history?days=90', 'incidents', 'maintenances']

/** What programs and other pages read. */
const FOR_PROGRAMS = [
  ...['feed.rss', 'feed.atom', 'calendar.ics', 'badge.svg', 'embed.js', 'embed.json', 'embed/frame'],
  ...['summary', 'status', 'components', 'incidents', 'incidents/unresolved', 'scheduled-maintenances'].map(
    (name) => `api/v2/${name}.json`,
  ),
  ...['upcoming', 'active'].map((name) => `api/v2/scheduled-maintenances/${name}.json`),
]

/** The reads that are also without the name of the page in their path. */
const OF_HOST = ['settings', 'incidents', 'maintenances']

/** The most important read first. */
export function warmPaths({ bases, publicSlug, locales, incidentIds }: WarmPage): string[] {
  return bases.flatMap((base) => {
    const front = base || '/'
    return [
      front,
      ...locales.map((locale) => `${front}?locale=${encodeURIComponent(locale)}`),
      `${base}/api/v1/pages/public/current-host`,
      ...DATA.map((read) => `${base}/api/v1/pages/public/${publicSlug}/${read}`),
      ...OF_HOST.map((read) => `${base}/api/v1/${read}`),
      ...FOR_PROGRAMS.map((read) => `${base}/${read}`),
      ...incidentIds.map((id) => `${base}/incidents/${id}`),
    ]
  })
}
