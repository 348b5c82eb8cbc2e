import { expect, test } from '@jest/globals'
import { duration, spelled, timeElement, updatedAt } from '../../src/page/times.ts'
import { NOW } from './samples.ts'

test.each([
  ['2026-03-02T00:05:00.000Z', '2 March, 00:05 UTC'],
  ['2025-12-31T23:59:59.999Z', '31 December 2025, 23:59 UTC'],
])('%s is spelled %s', (moment, words) => {
  expect(spelled(moment, NOW)).toBe(words)
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
  expect(timeElement(null, NOW)).toBeUndefined()
  expect(timeElement(NOW, NOW)?.markup).toBe(`<time datetime="${NOW}">2 March, 14:05 UTC</time>`)
  expect(updatedAt(NOW).markup).toContain('14:05 UTC, 2 March 2026')
})
