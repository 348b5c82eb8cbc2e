import { expect, test } from '@jest/globals'
import { calendarOf, daysBack } from '../../src/domain/uptime/day-rules.ts'
import { type Scale, secondsBetween, uptimeOf } from '../../src/domain/uptime/uptime-rules.ts'

const HOUR = 3_600_000
const weights: Record<string, number> = { up: 0, slow: 0.5, down: 1 }
const order = ['up', 'slow', 'down']
const scale: Scale = { weightOf: (status) => weights[status] ?? 1, severityOf: (status) => order.indexOf(status) }
const measure = (points: [hour: number, status: string][], from: number, to: number, since = 0, first = 'up') =>
  uptimeOf(
    secondsBetween(
      { first, points: points.map(([hour, status]) => ({ at: hour * HOUR, status })) },
      [from * HOUR, to * HOUR],
      since * HOUR,
    )[0]!,
    scale,
  )

test.each([
  ['always up', [], 0, 10, 0, 100, 'up'],
  [
    'down for an hour',
    [
      [2, 'down'],
      [3, 'up'],
    ],
    0,
    10,
    0,
    90,
    'down',
  ],
  [
    'slow counts by its weight',
    [
      [2, 'slow'],
      [3, 'up'],
    ],
    0,
    10,
    0,
    95,
    'slow',
  ],
  [
    'down since before the window',
    [
      [2, 'down'],
      [6, 'up'],
    ],
    5,
    15,
    0,
    90,
    'down',
  ],
  [
    'down until behind the window',
    [
      [9, 'down'],
      [20, 'up'],
    ],
    0,
    10,
    0,
    90,
    'down',
  ],
  ['still down', [[9, 'down']], 0, 10, 0, 90, 'down'],
  ['outside the window nothing counts', [[11, 'down']], 0, 10, 0, 100, 'up'],
  [
    'time before its start does not count',
    [
      [6, 'down'],
      [7, 'up'],
    ],
    0,
    10,
    5,
    80,
    'down',
  ],
  [
    'an unknown status counts as down',
    [
      [2, 'gone'],
      [3, 'up'],
    ],
    0,
    10,
    0,
    90,
    'up',
  ],
] as const)('%s', (_name, points, from, to, since, percent, status) => {
  const result = measure(
    points.map(([hour, s]) => [hour, s]),
    from,
    to,
    since,
  )
  expect([result.uptime_percent, result.worst_status]).toEqual([percent, status])
})

test('before its first event an item was as that event found it', () => {
  expect(measure([[5, 'up']], 0, 10, 0, 'down').uptime_percent).toBe(50)
})

test('a window before the start of the item has no uptime', () => {
  expect(measure([], 0, 10, 10)).toMatchObject({ total_seconds: 0, uptime_percent: null, worst_status: null })
})

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-10-04', 'Australia/Lord_Howe', '2026-10-03T13:30:00.000Z'],
  // The clock jumps from 00:00 to 01:00: the day begins at one.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
])('%s in %s begins at %s', (date, zone, start) => {
  const { startOf, dateOf } = calendarOf(zone)
  expect(new Date(startOf(date)).toISOString()).toBe(start)
  expect(dateOf(startOf(date))).toBe(date)
  expect(dateOf(startOf(date) - 1)).not.toBe(date)
})

test('days are counted back over the end of a month', () => {
  expect(daysBack('2026-03-02', 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
})
