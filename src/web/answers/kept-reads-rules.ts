/** Which reads of the public are kept for a restart without the database. Pure: no clock, no database. */

const ID = '[1-9]\\d{0,8}'
const LISTS = 'incidents|maintenances'
const MAINTENANCES = 'scheduled-maintenances(?:/upcoming|/active)?'
const STATUSPAGE = `(?:summary|status|components|incidents(?:/unresolved)?|${MAINTENANCES})\\.json`
const DATA = `(?:settings|components|summary|metrics|${LISTS}|history(?:\\?days=90)?)`

/** Views for everyone. Answers of other views have another key, which depends on the reader. */
const VIEW = 'v/[\\w-]+'

/** The built-in feeds and those of items and views; feeds that administrators made. */
const FEEDS = `(?:(?:/items/${ID}|/${VIEW})?/feed|/feeds/${ID})\\.(?:rss|atom)(?:\\?entries=incidents)?`

const kept = [
  'languages',
  'branding',
  'view [\\w-]+',
  '/',
  `/(?:${LISTS})/${ID}`,
  '/api/v1/pages/public/current-host',
  `/api/v1/(?:pages/public/[^/]+/)?${DATA}`,
  `/api/v1/views/[\\w-]+(?:/data)?`,
  FEEDS,
  '/badge\\.(?:svg|json)',
  '/embed(?:\\.js|\\.json|/frame)',
  `/${VIEW}`,
  `(?:(?:/items/${ID}|/${VIEW})?/calendar|/feeds/${ID})\\.ics`,
  `/api/v2/${STATUSPAGE}(?:\\?maintenance_indicator=true)?`,
].map((pattern) => new RegExp(`^(?:/status/[^/]+)?${pattern}$`))

/**
 * The key of a read is its path with the sorted query, or the name of a read that is part of others. Each language is kept. After
 * a `#` is the side of the reader of a view that is not for everyone.
 */
export function isKept(key: string): boolean {
  if (key.includes('#')) return false
  const [path = '', query = ''] = key.split('?')
  const others = query.split('&').filter((parameter) => parameter !== '' && !parameter.startsWith('locale='))
  const plain = others.length === 0 ? path.replace(/^(\/status\/[^/]+)$/, '$1/') : `${path}?${others.join('&')}`
  return kept.some((pattern) => pattern.test(plain))
}
