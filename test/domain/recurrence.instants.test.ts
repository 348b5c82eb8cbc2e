import { expect, test } from '@jest/globals'
import { instantsOf } from '../../src/domain/series/recurrence/instants.ts'
import { zoneOf } from '../../src/domain/series/recurrence/zone.ts'

/** What zones do to wall times, without a calendar: the wall times are a list. */
const inZone = (zone: string, walls: string[]) =>
  [...instantsOf(walls.map(wall), zoneOf(zone))].map((at) => new Date(at).toISOString().slice(0, 16))
const wall = (text: string) => Date.parse(`${text}:00Z`)

test('times that a change skips fall in among those that it does not, each once', () => {
  const walls = ['01:45', '02:00', '02:15', '02:30', '03:00', '03:15', '03:40'].map((time) => `2026-03-29T${time}`)
  expect(inZone('Europe/Berlin', walls)).toEqual([
    '2026-03-29T00:45',
    '2026-03-29T01:00',
    '2026-03-29T01:15',
    '2026-03-29T01:30',
    '2026-03-29T01:40',
  ])
})

test('a skipped time that is the last of all is not lost', () => {
  expect(inZone('Europe/Berlin', ['2026-03-29T01:00', '2026-03-29T02:30'])).toEqual([
    '2026-03-29T00:00',
    '2026-03-29T01:30',
  ])
})

test('a day that was skipped is the day after', () => {
  const days = ['29', '30', '31'].flatMap((day) => [`2011-12-${day}T09:00`, `2011-12-${day}T15:00`])
  expect(inZone('Pacific/Apia', days)).toEqual([
    '2011-12-29T19:00',
    '2011-12-30T01:00',
    '2011-12-30T19:00',
    '2011-12-31T01:00',
  ])
})
