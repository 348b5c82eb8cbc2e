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

const DATA = ['settings', 'components', 'metrics', 'history', 'history?days=90', 'incidents', 'maintenances']

/** What shows the state in a few words: short answers, which soon agree with the front page. */
const STATE = ['badge.svg', 'badge.json', 'embed.json', 'embed/frame', 'api/v2/status.json', 'api/v2/summary.json']

/** What other programs and pages read. */
const FOR_PROGRAMS = [
  ...['feed.rss', 'feed.atom', 'calendar.ics', 'embed.js'],
  ...['components', 'incidents', 'incidents/unresolved', 'scheduled-maintenances'].map((name) => `api/v2/${name}.json`),
  ...['upcoming', 'active'].map((name) => `api/v2/scheduled-maintenances/${name}.json`),
]

/** The incidents that a change is most likely about. */
const NEWEST = 10

/** The reads that are also without the name of the page in their path. */
const OF_HOST = ['settings', 'incidents', 'maintenances']

/** The most important read first. */
export function warmPaths({ bases, publicSlug, locales, incidentIds }: WarmPage): string[] {
  return bases.flatMap((base) => {
    const front = base || '/'
    const data = `${base}/api/v1/pages/public/${publicSlug}`
    const incidents = incidentIds.map((id) => `${base}/incidents/${id}`)
    return [
      front,
      ...locales.map((locale) => `${front}?locale=${encodeURIComponent(locale)}`),
      `${data}/summary`,
      ...STATE.map((read) => `${base}/${read}`),
      ...incidents.slice(0, NEWEST),
      `${base}/api/v1/pages/public/current-host`,
      ...DATA.map((read) => `${data}/${read}`),
      ...OF_HOST.map((read) => `${base}/api/v1/${read}`),
      ...FOR_PROGRAMS.map((read) => `${base}/${read}`),
      ...incidents.slice(NEWEST),
    ]
  })
}
