import { expect, test } from '@jest/globals'
import { instantsOf } from '../../src/domain/series/recurrence/instants.ts'

/** What zones do to wall times, without the library: the calendar here is a list, as wrong as a list can be. */
const wall = (text: string) => Date.parse(`${text}:00Z`)
const calendar = (walls: string[]) => (from: number, to: number) =>
  walls.map(wall).filter((at) => at >= from && at < to)
const inZone = (zone: string, walls: string[], start = walls[0]!, last = walls.at(-1)!) =>
  [...instantsOf(calendar(walls), wall(start), wall(last), zone)].map((at) => new Date(at).toISOString().slice(0, 16))

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

test('a day that was skipped is the day after, also where two stretches of the calendar meet', () => {
  const days = ['29', '30', '31'].flatMap((day) => [`2011-12-${day}T09:00`, `2011-12-${day}T15:00`])
  const expected = ['2011-12-29T19:00', '2011-12-30T01:00', '2011-12-30T19:00', '2011-12-31T01:00']
  expect(inZone('Pacific/Apia', days)).toEqual(expected)
  // A stretch is 366 days at first: from these starts the seam lies on every hour of the day that was none.
  for (let hour = 0; hour < 48; hour++) {
    const start = new Date(wall('2011-12-29T12:00') - 366 * 86_400_000 + hour * 3_600_000).toISOString().slice(0, 16)
    expect(inZone('Pacific/Apia', days, start)).toEqual(expected)
  }
})

test('a calendar that answers out of order and twice does no harm', () => {
  const walls = ['2026-05-03T09:00', '2026-05-01T09:00', '2026-05-03T09:00', '2026-05-02T09:00']
  expect(inZone('UTC', walls, '2026-05-01T00:00', '2026-05-04T00:00')).toEqual([
    '2026-05-01T09:00',
    '2026-05-02T09:00',
    '2026-05-03T09:00',
  ])
})
