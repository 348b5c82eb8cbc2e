import { describe, expect, test } from '@jest/globals'
import { rollUpBeats } from '../../src/domain/beats/results/jobs.ts'
import { administer } from '../support/administrator.ts'
import { storeResults } from '../support/beat-results.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { reportStage } from '../support/reported-stages.ts'
import { inPage, insertBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const SECOND = 1000
const HOUR = 3_600_000
const now = new Date('2026-03-01T10:17:30Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

let service: TestService
serviceAt(now, (made) => {
  service = made
})

const read = async (path: string) => {
  const { status, body } = await service.admin.get(path)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

describe('metrics', () => {
  const metricsOf = (id: number, query = '') => read(`/admin/beats/${id}/metrics${query}`)
  const near = (value: number, right: number) => expect(Math.abs(value - right)).toBeLessThanOrEqual(right * 0.05 + 0.5)

  test('of a beat without results are empty', async () => {
    const id = await insertBeat(service)
    const body = await metricsOf(id)
    expect(body).toMatchObject({
      ...{ beat_id: id, range: '24h', resolution_seconds: 600, end_time: now.toISOString() },
      ...{ checks: 0, failures: 0, uptime_percent: null, latency_ms: { p50: null, p95: null, p99: null } },
    })
    expect(body.points).toHaveLength(144)
    expect(body.regions).toBeUndefined()
  })

  test('count all results with and without a rollup, also by region; a check without an answer has no latency', async () => {
    const id = await insertBeat(service)
    const latencies = Array.from({ length: 600 }, (_, n) => 20 + ((n * 7919) % 600))
    await storeResults(
      service,
      latencies.map((latency_ms, n) => ({
        ...{ beat_id: id, at: ago(n * 30 * SECOND + SECOND), latency_ms, ok: n % 20 !== 0 },
        region: n % 3 === 0 ? 'eu' : 'us',
      })),
    )
    const silent = await insertBeat(service)
    await storeResults(service, [
      ...Array.from({ length: 60 }, (_, n) => ({
        ...{ beat_id: silent, at: ago(n * 30 * SECOND + SECOND), latency_ms: null, ok: false },
      })),
      ...[60, 61].map((n) => ({ beat_id: silent, at: ago(n * 30 * SECOND + SECOND), latency_ms: 200 })),
    ])
    const sorted = latencies.toSorted((a, b) => a - b)
    const check = async () => {
      const body = await metricsOf(id, '?range=24h&by_region=true')
      expect(body).toMatchObject({ checks: 600, failures: 30, uptime_percent: 95 })
      near(body.latency_ms.p50, sorted[299]!)
      near(body.latency_ms.p95, sorted[569]!)
      near(body.latency_ms.p99, sorted[593]!)
      const { at, checks, failures } = body.points.at(-1)
      expect([at, checks, failures]).toEqual(['2026-03-01T10:10:00.000Z', 15, 1])
      expect(body.points.reduce((sum: number, point: { checks: number }) => sum + point.checks, 0)).toBe(600)
      expect(body.regions.map(({ region, checks, failures }: never) => [region, checks, failures])).toEqual([
        ['eu', 200, 10],
        ['us', 400, 20],
      ])
      const { checks: all, failures: failed, latency_ms } = await metricsOf(silent)
      expect([all, failed]).toEqual([62, 60])
      near(latency_ms.p50, 200)
      const week = await metricsOf(id, '?range=7d')
      expect([week.checks, week.failures, week.points.at(-1).checks]).toEqual([600, 30, 35])
      const hour = await metricsOf(id, '?range=1h')
      expect([hour.checks, hour.points.length, hour.points.at(-2).checks]).toEqual([119, 60, 2])
    }
    await check()
    await rollUpBeats(service.services)
    await check()
    // Neither the results of minutes nor, for a longer range, the minutes of hours are needed any more.
    const [row] = await service.services.system.em
      .fork()
      .execute<{ at: string }[]>("select max(at) + interval '1 minute' as at from beat_rollup where beat_id = ?", [id])
    await administer(
      service,
      `delete from beat_result where beat_id = ${id} and due_at < '${new Date(row!.at).toISOString()}'`,
    )
    await check()
    await administer(
      service,
      `delete from beat_rollup where beat_id = ${id} and span_seconds = 60 and at < '2026-03-01T10:00:00Z'`,
    )
    const { checks, failures } = await metricsOf(id, '?range=30d')
    expect([checks, failures]).toEqual([600, 30])
  })

  test('reach as far back as hours are stored', async () => {
    const id = await insertBeat(service)
    for (const [days, checks] of [
      [1, 10],
      [20, 20],
      [80, 30],
      [100, 40],
    ]) {
      await service.services.system.em.fork().execute(
        `insert into beat_rollup (beat_id, span_seconds, at, region, page_id, checks, failures, latencies)
          values (?, 3600, date_bin('1 hour', ?::timestamptz, 'epoch'), 'local', ?, ?, 1, '{"49": 1}')`,
        [id, ago(days! * 24 * HOUR), service.page.id, checks],
      )
    }
    const counts = []
    for (const range of ['1h', '24h', '7d', '30d', '90d']) counts.push((await metricsOf(id, `?range=${range}`)).checks)
    expect(counts).toEqual([0, 0, 10, 30, 60])
    expect((await service.admin.get(`/admin/beats/${id}/metrics?range=1y`)).status).toBe(400)
  })

  test('of a reported beat are the share of time in the stage healthy', async () => {
    const id = await insertBeat(service, { type: 'external_event', target: { kind: 'external_event' } })
    for (const [hours, stage] of [
      [8, 'healthy'],
      [3, 'critical'],
      [2, 'healthy'],
    ] as const) {
      service.now = ago(hours * HOUR)
      await inPage(service, (work) =>
        reportStage(work, id, { stage, event_id: `${hours}`, evidence: '', cause: 'an event' }),
      )
    }
    service.now = now
    const { uptime_percent, checks, points } = await metricsOf(id)
    expect([uptime_percent, checks]).toEqual([87.5, 0])
    expect([points.at(0).uptime_percent, points.at(-1).uptime_percent]).toEqual([null, 100])
    expect((await metricsOf(id, '?range=1h')).uptime_percent).toBe(100)
  })
})
