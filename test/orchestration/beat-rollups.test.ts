import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { rollUpBeats } from '../../src/domain/beats/results/jobs.ts'
import { BeatRollup } from '../../src/persistence/entities/beat-rollup.ts'
import { administer } from '../support/administrator.ts'
import { storeResults } from '../support/beat-results.ts'
import { insertBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const MINUTE = 60_000
const start = new Date('2026-03-01T10:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * MINUTE)

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
})
afterAll(() => service?.close())
afterEach(() =>
  administer(service, `truncate beat_result, beat_rollup; delete from installation where key = 'beats.rolled_up'`),
)

const rollUpAt = (minutes: number) => {
  service.now = later(minutes)
  return rollUpBeats(service.services)
}
const madeOf = (beat_id: number, span_seconds: number) =>
  service.services.system.em
    .fork()
    .find(BeatRollup, { beat_id, span_seconds }, { orderBy: [{ at: 'asc' }, { region: 'asc' }] })
const minutesOf = async (id: number) =>
  (await madeOf(id, 60)).map(({ at, region, checks, failures }) => [
    (at.getTime() - start.getTime()) / MINUTE,
    ...[region, checks, failures],
  ])

describe('rollups of a minute', () => {
  test('count the results that were due in the minute, by region, a quarter of a minute after its end', async () => {
    const id = await insertBeat(service)
    const other = await insertBeat(service)
    await storeResults(service, [
      { beat_id: id, at: later(0), latency_ms: 100 },
      { beat_id: id, at: later(0.5), latency_ms: 104 },
      { beat_id: id, at: later(0.75), latency_ms: 3000, ok: false },
      { beat_id: id, at: later(0.999), latency_ms: null, ok: false },
      { beat_id: id, at: later(0.5), region: 'eu', latency_ms: 0 },
      { beat_id: id, at: later(1) },
      { beat_id: other, at: later(0.2) },
    ])
    await rollUpAt(1.24)
    expect(await minutesOf(id)).toEqual([])
    await rollUpAt(1.25)
    expect(await madeOf(id, 60)).toMatchObject([
      { at: start, region: 'eu', page_id: service.page.id, checks: 1, failures: 0, latencies: { 0: 1 } },
      { at: start, region: 'local', checks: 4, failures: 2, latencies: { 49: 2, 85: 1 } },
    ])
    expect(await minutesOf(other)).toEqual([[0, 'local', 1, 0]])
    await rollUpAt(2.25)
    expect(await minutesOf(id)).toEqual([
      [0, 'eu', 1, 0],
      [0, 'local', 4, 2],
      [1, 'local', 1, 0],
    ])
  })

  test('are counted once more by the next run for late results, and not after that', async () => {
    const id = await insertBeat(service)
    await storeResults(service, [{ beat_id: id, at: later(0) }])
    await rollUpAt(1.5)
    await storeResults(service, [{ beat_id: id, at: later(0.9) }])
    await rollUpAt(2.5)
    expect(await minutesOf(id)).toEqual([[0, 'local', 2, 0]])
    await storeResults(service, [{ beat_id: id, at: later(0.95) }])
    await rollUpAt(3.5)
    expect(await minutesOf(id)).toEqual([[0, 'local', 2, 0]])
  })

  test('stay unchanged after the deletion of their results', async () => {
    const id = await insertBeat(service)
    await storeResults(
      service,
      [0, 0.5].map((at) => ({ beat_id: id, at: later(at) })),
    )
    await rollUpAt(1.5)
    await service.services.system.em.fork().execute('delete from beat_result where due_at > ?', [start])
    await rollUpAt(2.5)
    expect(await minutesOf(id)).toEqual([[0, 'local', 2, 0]])
  })
})

test('hours are counted with their last minute, and again for late results', async () => {
  const id = await insertBeat(service)
  await storeResults(service, [
    ...Array.from({ length: 120 }, (_, n) => ({ beat_id: id, at: later(n / 2), latency_ms: n, ok: n % 10 !== 0 })),
    { beat_id: id, at: later(30), region: 'eu', latency_ms: null },
    { beat_id: id, at: later(60) },
  ])
  await rollUpAt(60)
  expect(await madeOf(id, 3600)).toEqual([])
  await rollUpAt(60.5)
  const [eu, local, ...more] = await madeOf(id, 3600)
  expect(more).toEqual([])
  expect(eu).toMatchObject({ at: start, region: 'eu', checks: 1, failures: 0, latencies: {} })
  expect(local).toMatchObject({ at: start, region: 'local', checks: 120, failures: 12 })
  expect(Object.values(local!.latencies).reduce((sum, count) => sum + count, 0)).toBe(120)
  await storeResults(service, [{ beat_id: id, at: later(59.75) }])
  await rollUpAt(61.5)
  expect((await madeOf(id, 3600))[1]).toMatchObject({ checks: 121, failures: 12 })
})

test('after an outage all minutes are counted, and concurrent runs count each result once', async () => {
  const id = await insertBeat(service)
  await rollUpAt(0.5)
  const results = Array.from({ length: 400 }, (_, n) => ({ beat_id: id, at: later(n / 2) }))
  await storeResults(service, results)
  service.now = later(200.5)
  await Promise.all(Array.from({ length: 3 }, () => rollUpBeats(service.services)))
  expect((await madeOf(id, 60)).map(({ checks }) => checks)).toEqual(Array(200).fill(2))
  expect((await madeOf(id, 3600)).map(({ checks }) => checks)).toEqual([120, 120, 120])
})

test('the run after an interrupted run continues its work', async () => {
  const id = await insertBeat(service)
  await rollUpAt(0.5)
  await storeResults(
    service,
    [10, 40, 70].map((at) => ({ beat_id: id, at: later(at) })),
  )
  // The second of its transactions fails.
  await administer(service, `alter table beat_rollup add constraint cut check (at < '${later(60).toISOString()}')`)
  await expect(rollUpAt(90)).rejects.toThrow('cut')
  expect((await minutesOf(id)).map(([minute]) => minute)).toEqual([10, 40])
  await administer(service, 'alter table beat_rollup drop constraint cut')
  await rollUpAt(90)
  expect((await minutesOf(id)).map(([minute]) => minute)).toEqual([10, 40, 70])
  expect((await madeOf(id, 3600)).map(({ checks }) => checks)).toEqual([2])
})
