import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ranges, shorter, windowOf } from '../../src/domain/beats/definition/range-rules.ts'
import { seriesOf } from '../../src/domain/beats/results/figures-rules.ts'
import { type Latencies, percentilesOf } from '../../src/domain/beats/results/latency-rules.ts'
import { healthySeries } from '../../src/domain/beats/results/stage-time-rules.ts'

/** Counts latencies like the database. */
function counted(latencies: number[]): Latencies {
  const counts: Latencies = {}
  for (const ms of latencies) {
    const bucket = Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(1.1))
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

const exact = (latencies: number[], share: number) =>
  latencies.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * latencies.length)) - 1]!

describe('percentiles', () => {
  test('have an error of less than five percent plus rounding', () => {
    const latencies = fc.array(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 300_000 })), {
      minLength: 1,
      maxLength: 300,
    })
    fc.assert(
      fc.property(latencies, (list) => {
        const found = percentilesOf(counted(list))
        for (const [name, share] of [
          ['p50', 0.5],
          ['p95', 0.95],
          ['p99', 0.99],
        ] as const) {
          const right = Math.max(1, exact(list, share))
          expect(Math.abs(found[name]! - right)).toBeLessThanOrEqual(right * 0.049 + 0.51)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('are null without latencies, the latency itself for one, and the nearest rank for many', () => {
    const of = (list: number[]) => Object.values(percentilesOf(counted(list)))
    expect(of([])).toEqual([null, null, null])
    expect(of([1])).toEqual([1, 1, 1])
    // The middles of the buckets of 50, 95 and 99.
    expect(of(Array.from({ length: 100 }, (_, n) => n + 1))).toEqual([52, 93, 102])
  })
})

describe('a range', () => {
  const now = new Date('2026-03-01T10:17:42.500Z')
  test.each([
    ['1h', 60, 60, '2026-03-01T09:18:00.000Z', '2026-03-01T10:17:00.000Z'],
    ['24h', 144, 600, '2026-02-28T10:20:00.000Z', '2026-03-01T10:10:00.000Z'],
    ['7d', 168, 3600, '2026-02-22T11:00:00.000Z', '2026-03-01T10:00:00.000Z'],
    ['30d', 120, 21_600, '2026-01-30T12:00:00.000Z', '2026-03-01T06:00:00.000Z'],
    ['90d', 90, 86_400, '2025-12-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ] as const)('of %s has %d points of %d seconds', (range, count, seconds, first, last) => {
    const window = windowOf(range, now)
    expect([window.points.length, window.resolution_seconds]).toEqual([count, seconds])
    const at = [window.points.at(0)!, window.points.at(-1)!].map((ms) => new Date(ms).toISOString())
    expect(at).toEqual([first, last])
    expect([window.from.toISOString(), window.to]).toEqual([first, now])
    expect(window.byHour).toBe(seconds >= 3600)
  })

  test('is the shorter of two ranges', () => {
    expect(ranges.map((range) => shorter(range, '7d'))).toEqual(['1h', '24h', '7d', '7d', '7d'])
    expect(ranges.map((range) => shorter('7d', range))).toEqual(['1h', '24h', '7d', '7d', '7d'])
  })
})

test('counts are added to their points, and counts outside the range are ignored', () => {
  const count = (at: number, checks: number, failures = 0) => ({ at, checks, failures, latencies: counted([100]) })
  const { points, ...all } = seriesOf(
    [count(9, 1), count(10, 3, 1), count(14, 1), count(25, 4, 4), count(40, 9)],
    [10, 20, 30],
    10,
  )
  const of = (checks: number, failures: number, uptime_percent: number | null, p: number | null) => ({
    ...{ checks, failures, uptime_percent },
    latency_ms: { p50: p, p95: p, p99: p },
  })
  const [p] = [percentilesOf(counted([100])).p50]
  expect(all).toEqual(of(8, 5, 37.5, p))
  expect(points).toEqual([
    { at: 10, ...of(4, 1, 75, p) },
    { at: 20, ...of(4, 4, 0, p) },
    { at: 30, ...of(0, 0, null, null) },
  ])
})

test('the uptime of a beat without checks is the share of known time in the stage healthy', () => {
  const step = 60_000
  const window = {
    ...{ range: '1h' as const, from: new Date(0), to: new Date(3.5 * step), byHour: false },
    ...{ resolution_seconds: 60, points: [0, step, 2 * step, 3 * step] },
  }
  const at = (minutes: number, status: string) => ({ at: minutes * step, status })
  const uptimes = (changes: Parameters<typeof healthySeries>[0]) => {
    const { uptime_percent, points } = healthySeries(changes, window)
    return [uptime_percent, ...points.map((point) => point.uptime_percent)]
  }
  expect(uptimes([])).toEqual([null, null, null, null, null])
  expect(uptimes([at(-5, 'healthy')])).toEqual([100, 100, 100, 100, 100])
  expect(uptimes([at(1.5, 'healthy'), at(2.5, 'critical')])).toEqual([50, null, 100, 50, 0])
  expect(uptimes([at(-5, 'warning'), at(1, 'healthy'), at(3, 'critical'), at(3.25, 'healthy')])).toEqual([
    64.2857, 0, 100, 100, 50,
  ])
})
