import { expect, jest, test } from '@jest/globals'
import { renderHome } from '../../src/page/home/home.ts'
import { durationBetween, durationOf, rangeInWords } from '../../src/page/site/durations.ts'
import { percentInWords } from '../../src/page/site/numbers.ts'
import {
  dateIn,
  dayInWords,
  daysInWords,
  endElement,
  monthInWords,
  spelled,
  timeElement,
  updatedAt,
} from '../../src/page/site/times.ts'
import { itemsOf, NOW, view } from './samples.ts'

const en = { now: NOW, locale: 'en-GB', zone: 'UTC', language: 'en' }
const plain = (words: string) => words.replace(/\s/g, ' ')

test.each([
  ['2026-03-02T00:05:00.000Z', 'en-GB', 'UTC', '2 March at 00:05 UTC'],
  ['2025-12-31T23:59:59.999Z', 'en-GB', 'UTC', '31 December 2025 at 23:59 UTC'],
  ['2026-03-02T14:05:00.000Z', 'en-US', 'UTC', 'March 2 at 2:05 PM UTC'],
  ['2026-03-02T14:05:00.000Z', 'de', 'UTC', '2. März um 14:05 UTC'],
  ['2025-03-02T14:05:00.000Z', 'pt-BR', 'UTC', '2 de março de 2025 às 14:05 UTC'],
  ['2025-03-02T14:05:00.000Z', 'ja', 'UTC', '2025年3月2日 14:05 UTC'],
  ['2026-03-02T23:30:00.000Z', 'de', 'Europe/Berlin', '3. März um 00:30 MEZ'],
])('%s in %s in the zone %s is spelled %s', (moment, locale, zone, words) => {
  expect(plain(spelled(moment, { ...en, locale, zone }))).toBe(words)
})

test('a format is made once', () => {
  const make = jest.spyOn(Intl, 'DateTimeFormat')
  for (let n = 0; n < 10; n += 1) spelled(NOW, { ...en, locale: 'sv' })
  expect(make).toHaveBeenCalledTimes(1)
  make.mockRestore()
})

test.each([
  [0, 'en', '0 seconds'],
  [59, 'en', '59 seconds'],
  [60, 'en', '1 minute'],
  [61, 'en', '1 minute, 1 second'],
  [3600, 'en', '1 hour'],
  [8640, 'en', '2 hours, 24 minutes'],
  [86_400 + 300, 'en', '1 day'],
  [3 * 86_400 + 3660, 'en', '3 days, 1 hour'],
  [8640, 'de', '2 Stunden, 24 Minuten'],
  [8640, 'ja', '2 時間 24 分'],
])('%i seconds in %s are %s', (seconds, language, words) => {
  expect(plain(durationOf(seconds, { language }))).toBe(words)
})

test.each([
  ['1h', 'en', '1 hour'],
  ['24h', 'en', '24 hours'],
  ['24h', 'de', '24 Stunden'],
  ['24h', 'ar', '24 ساعة'],
  ['7d', 'fr', '7 jours'],
  ['90d', 'ja', '90 日'],
])('the range %s in %s is %s', (range, language, words) => {
  expect(plain(rangeInWords(range, { language }))).toBe(words)
})

test.each([
  [-5, '0 seconds'],
  [59, '59 seconds'],
  [119, '1 minute'],
])('%i seconds between two moments are %s', (seconds, words) => {
  expect(durationBetween(NOW, new Date(Date.parse(NOW) + seconds * 1000).toISOString(), en)).toBe(words)
})

test('times are for machines too, and name their language if it is another', () => {
  expect(timeElement(null, en)).toBeUndefined()
  expect(timeElement(NOW, en)?.markup).toBe(`<time datetime="${NOW}" dir="auto">2 March at 14:05 UTC</time>`)
  expect(timeElement(NOW, { ...en, language: 'de' })?.markup).toContain(' lang="en-GB">')
  expect(updatedAt(NOW, en).markup).toContain('2 March 2026 at 14:05 UTC')
})

test.each([
  ['2026-03-02T10:00:00.000Z', 'UTC', '16:00 UTC'],
  ['2026-03-01T23:59:59.999Z', 'UTC', '2 March at 16:00 UTC'],
  ['2026-03-02T11:00:00.000Z', 'Pacific/Auckland', '05:00 GMT+13'],
  ['2026-03-02T10:59:59.999Z', 'Pacific/Auckland', '3 March at 05:00 GMT+13'],
  [undefined, 'UTC', '2 March at 16:00 UTC'],
])('the end of what begins at %j in the zone %s is %s', (beginning, zone, words) => {
  const { markup } = endElement('2026-03-02T16:00:00.000Z', beginning, { ...en, zone })
  expect(plain(markup)).toBe(`<time datetime="2026-03-02T16:00:00.000Z" dir="auto">${words}</time>`)
})

test('days and months are in the language of dates, and days of moments in the zone of the page', () => {
  expect(dayInWords('2026-03-02', en)).toBe('Monday, 2 March 2026')
  expect(dayInWords('2026-03-02', { ...en, zone: 'Pacific/Auckland' })).toBe('Monday, 2 March 2026')
  expect(daysInWords('2026-03-02', '2026-03-02', en)).toBe('Monday, 2 March 2026')
  expect(plain(daysInWords('2026-02-27', '2026-03-02', en))).toBe('27 February – 2 March 2026')
  expect(plain(daysInWords('2026-03-02', '2026-03-04', { ...en, locale: 'de' }))).toBe('2.–4. März 2026')
  expect(monthInWords('2026-03', { ...en, locale: 'de' })).toBe('März 2026')
  expect(dateIn('2026-03-02T23:30:00.000Z', { ...en, zone: 'Europe/Berlin' })).toBe('2026-03-03')
})

test.each([
  [100, 'en', '100%'],
  [99.9999, 'en', '99.9999%'],
  [99.95, 'en', '99.95%'],
  [0, 'en', '0%'],
  [98.7654, 'de', '98,7654 %'],
  [null, 'en', undefined],
])('%p percent in %s are %s, with the decimals of the API', (percent, language, words) => {
  const shown = percentInWords(percent, { language })
  expect(shown && plain(shown)).toBe(words)
})

test('the range of a measurement is in the language of the page', () => {
  const latency_ms = { p50: 12, p95: 20, p99: 30 }
  const metric = {
    item: itemsOf('Search')[0]!,
    label: 'Search',
    range: '24h',
    uptime_percent: 99,
    latency_ms,
    points: [],
  }
  const page = renderHome(view({ metrics: [metric as never], language: 'de' }), { base: '', path: '/' })
  expect(plain(page)).toContain('Zeitraum: 24 Stunden<')
  expect(plain(page)).toContain('aria-label="Search: Antwortzeit im Zeitraum 24 Stunden"')
})
