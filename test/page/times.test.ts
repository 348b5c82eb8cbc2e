import { expect, jest, test } from '@jest/globals'
import { duration, spelled, timeElement, updatedAt } from '../../src/page/site/times.ts'
import { NOW } from './samples.ts'

const en = { now: NOW, locale: 'en-GB' }

test.each([
  ['2026-03-02T00:05:00.000Z', 'en-GB', '2 March at 00:05 UTC'],
  ['2025-12-31T23:59:59.999Z', 'en-GB', '31 December 2025 at 23:59 UTC'],
  ['2026-03-02T14:05:00.000Z', 'en-US', 'March 2 at 2:05 PM UTC'],
  ['2026-03-02T14:05:00.000Z', 'de', '2. März um 14:05 UTC'],
  ['2025-03-02T14:05:00.000Z', 'pt-BR', '2 de março de 2025 às 14:05 UTC'],
  ['2025-03-02T14:05:00.000Z', 'ja', '2025年3月2日 14:05 UTC'],
])('%s in %s is spelled %s', (moment, locale, words) => {
  expect(spelled(moment, { now: NOW, locale }).replace(/\s/g, ' ')).toBe(words)
})

test('a format is made once', () => {
  const make = jest.spyOn(Intl, 'DateTimeFormat')
  for (let n = 0; n < 10; n += 1) spelled(NOW, { now: NOW, locale: 'sv' })
  expect(make).toHaveBeenCalledTimes(1)
  make.mockRestore()
})

test.each([
  [0, 'less than a minute'],
  [-5, 'less than a minute'],
  [1, '1 minute'],
  [60, '1 hour'],
  [144, '2 hours 24 minutes'],
  [24 * 60, '1 day'],
  [24 * 60 + 5, '1 day'],
  [3 * 24 * 60 + 61, '3 days 1 hour'],
])('%i minutes are %s', (minutes, words) => {
  expect(duration(NOW, new Date(Date.parse(NOW) + minutes * 60_000).toISOString())).toBe(words)
})

test('times are for machines too', () => {
  expect(timeElement(null, en)).toBeUndefined()
  expect(timeElement(NOW, en)?.markup).toBe(`<time datetime="${NOW}" dir="auto">2 March at 14:05 UTC</time>`)
  expect(updatedAt(NOW, 'en-GB').markup).toContain('2 March 2026 at 14:05 UTC')
})
