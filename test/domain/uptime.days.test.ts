import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { daysUntil } from '../../src/domain/uptime/day-rules.ts'
import { scaleOf, weightsOf } from '../../src/domain/uptime/scale-rules.ts'
import { type Course, secondsBetween, sumOf, uptimeOf } from '../../src/domain/uptime/uptime-rules.ts'

const type = (key: string, uptime_weight: number, display_order: number) => ({
  ...{ key, uptime_weight, display_order, is_operational: key === 'operational' },
})
const types = [
  type('operational', 1, 0),
  type('maintenance', 1, 1),
  type('degraded', 0.1, 2),
  type('partial_outage', 0.3, 3),
  type('major_outage', 1, 4),
]
const keys = types.map(({ key }) => key)
const scale = scaleOf(types, { maintenanceCountsAsUp: false })

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo']
const [earliest, latest] = [Date.parse('2025-01-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z')]
const instant = fc.integer({ min: earliest, max: latest })
const point = fc.record({ at: instant, status: fc.constantFrom(...keys) })
const course: fc.Arbitrary<Course> = fc.record({
  first: fc.constantFrom(...keys),
  points: fc.array(point, { maxLength: 40 }).map((list) => list.toSorted((a, b) => a.at - b.at)),
})

/** The status of each second, looked up one by one: slow, and written without the code under test. */
function statusAt({ first, points }: Course, second: number): string {
  return points.findLast(({ at }) => Math.floor(at / 1000) <= second)?.status ?? first
}

test('the days add up to the window, and equal the window when it is measured at once', () => {
  fc.assert(
    fc.property(
      ...[course, instant, fc.integer({ min: 1, max: 365 }), fc.constantFrom(...zones), instant],
      (one, now, days, zone, since) => {
        const { dates, bounds } = daysUntil(now, days, zone)
        const parts = secondsBetween(one, bounds, since)
        expect([dates.length, parts.length]).toEqual([days, days])
        const [window] = secondsBetween(one, [bounds[0]!, now], since)
        const [whole, summed] = [uptimeOf(window!, scale), uptimeOf(sumOf(parts), scale)]
        expect(summed).toEqual(whole)
        const from = Math.max(Math.floor(bounds[0]! / 1000), Math.floor(since / 1000))
        expect(whole.total_seconds).toBe(Math.max(0, Math.floor(now / 1000) - from))
        const total = parts.reduce((sum, part) => sum + uptimeOf(part, scale).total_seconds, 0)
        expect(total).toBe(whole.total_seconds)
      },
    ),
  )
})

test('only parts without a change are shared', () => {
  const points = [
    { at: 2000, status: 'degraded' },
    { at: 6000, status: 'operational' },
  ]
  const shared = { shared: 1 }
  const calls: unknown[] = []
  const wholeOf = (...call: unknown[]) => {
    calls.push(call)
    return shared
  }
  const parts = secondsBetween({ first: 'operational', points }, [0, 1000, 2000, 4000, 7000, 9000], 500, wholeOf)
  expect(parts).toEqual([shared, shared, { degraded: 2 }, { degraded: 2, operational: 1 }, shared])
  expect(calls).toEqual([
    [0, 'operational', 1],
    [1, 'operational', 1],
    [4, 'operational', 2],
  ])
  expect(secondsBetween({ first: 'operational', points: [] }, [0, 1000], 5000, wholeOf)).toEqual([{}])
})

test('each second counts for the status that the item had', () => {
  const short = { min: earliest, max: earliest + 60_000 }
  const quick = fc.record({
    first: fc.constantFrom(...keys),
    points: fc
      .array(fc.record({ at: fc.integer(short), status: fc.constantFrom(...keys) }), { maxLength: 12 })
      .map((list) => list.toSorted((a, b) => a.at - b.at)),
  })
  fc.assert(
    fc.property(quick, fc.array(fc.integer(short), { minLength: 2, maxLength: 5 }), (one, times) => {
      const bounds = times.toSorted((a, b) => a - b)
      const parts = secondsBetween(one, bounds, 0)
      parts.forEach((part, index) => {
        const counted: Record<string, number> = {}
        for (let at = Math.floor(bounds[index]! / 1000); at < Math.floor(bounds[index + 1]! / 1000); at += 1) {
          const status = statusAt(one, at)
          counted[status] = (counted[status] ?? 0) + 1
        }
        expect(part).toEqual(counted)
      })
    }),
  )
})

test('a percentage is never 100 with downtime, and never more than the exact share', () => {
  const part = fc.record(
    Object.fromEntries(keys.map((key) => [key, fc.integer({ min: 0, max: 6_000_000 })])) as Record<
      string,
      fc.Arbitrary<number>
    >,
  )
  fc.assert(
    fc.property(part, (seconds) => {
      const { uptime_percent, total_seconds } = uptimeOf(seconds, scale)
      // In tenths of a second, so that the reference is exact.
      const down = keys.reduce((sum, key) => sum + seconds[key]! * Math.round(scale.weightOf(key) * 10), 0)
      const exact = (BigInt(total_seconds) * 10n - BigInt(down)) * 1_000_000n
      const parts = total_seconds === 0 ? null : Number(exact / (BigInt(total_seconds) * 10n))
      expect(uptime_percent).toBe(parts === null ? null : parts / 10_000)
      if (down > 0) expect(uptime_percent).toBeLessThan(100)
    }),
  )
})

test.each([
  ['one second in a year', { operational: 31_535_999, major_outage: 1 }, 99.9999],
  ['a thousandth of a second in a year', { operational: 31_535_999, brief: 1 }, 99.9999],
  ['two thirds', { operational: 2, major_outage: 1 }, 66.6666],
  ['a weight that has no exact binary fraction', { operational: 90, degraded: 100 }, 94.7368],
  ['an exact result stays', { operational: 93, partial_outage: 10 }, 97.0873],
  ['nothing', {}, null],
  ['only downtime', { major_outage: 7 }, 0],
])('%s', (_name, seconds, percent) => {
  const withBrief = scaleOf([...types, type('brief', 0.001, 5)], { maintenanceCountsAsUp: false })
  expect(uptimeOf(seconds, withBrief).uptime_percent).toBe(percent)
})

test('operational time is up, and time under maintenance as the policy says', () => {
  const weights = { operational: 0, degraded: 0.1, partial_outage: 0.3, major_outage: 1 }
  expect(weightsOf(types, { maintenanceCountsAsUp: true })).toEqual({ ...weights, maintenance: 0 })
  expect(weightsOf(types, { maintenanceCountsAsUp: false })).toEqual({ ...weights, maintenance: 1 })
})

test('the worst status is the most severe with time, even if it is milder than operational', () => {
  const odd = scaleOf([type('informational', 0, -1), ...types], { maintenanceCountsAsUp: true })
  expect(uptimeOf({ informational: 5 }, odd).worst_status).toBe('informational')
  expect(uptimeOf({ informational: 5, operational: 1 }, odd).worst_status).toBe('operational')
  expect(uptimeOf({ gone: 5, operational: 1 }, odd).worst_status).toBe('operational')
})

test.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Europe/Berlin', '2026-10-26', 24],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
])('in %s the day %s has %d hours', (zone, date, hours) => {
  const { dates, bounds } = daysUntil(Date.parse(`${date}T12:00:00Z`) + 2 * 86_400_000, 4, zone)
  const index = dates.indexOf(date)
  const parts = secondsBetween({ first: 'operational', points: [] }, bounds, 0)
  expect(parts[index]).toEqual({ operational: hours * 3600 })
})
