import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LockMode } from '@mikro-orm/postgresql'
import { observeResults } from '../../src/domain/beats/stage/evaluate-results.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { BeatResult } from '../../src/persistence/entities/beat-result.ts'
import { actingBeat, actionsOf, incidentsOf, insertGroup, look, openly, see } from '../support/acting.ts'
import { administer } from '../support/administrator.ts'
import { reportStage } from '../support/reported-stages.ts'
import { inPage, storedBeat, transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

const threshold_policies = {
  critical_rule: { consecutive_failures: 2 },
  flapping_rule: { changes: 90, within_minutes: 60 },
}
const watched = () => actingBeat(service, { threshold_policies, regions: ['a', 'b'], action_policies: openly })

/** Stores a result of a region and evaluates the stage in one transaction, as a lease does. */
const check = (id: number, region: string, slot: number, ok: boolean) =>
  inPage(service, async (work) => {
    const { tx, pageId, now } = work
    const due_at = new Date(Math.floor(now.getTime() / 60_000) * 60_000 - 60_000 + slot * 100)
    tx.create(BeatResult, {
      ...{ beat_id: id, due_at, region, page_id: pageId, slot, at: now, ok },
      ...{ latency_ms: 10, status_code: ok ? 200 : 503, packet_loss: null, certificate_days: null },
      evidence: `${region} ${slot}`,
    } as never)
    await tx.flush()
    return observeResults(work, id)
  })

const stages = async (id: number) => (await transitionsOf(service, id)).map(({ to_stage }) => to_stage)
const numbers = async (id: number) => (await transitionsOf(service, id)).map(({ number }) => number)

test('concurrent failures of two regions cause one transition, and both results are stored', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await watched()
    await Promise.all([check(id, 'a', 1, false), check(id, 'b', 1, false)])
    expect(await stages(id)).toEqual(['healthy'])
    await Promise.all([check(id, 'a', 2, false), check(id, 'b', 2, false)])
    expect(await stages(id)).toEqual(['healthy', 'critical'])
    await Promise.all([look(service, 'beat', id), look(service, 'beat', id)])
    expect(await actionsOf(service, id)).toHaveLength(1)
  }
})

test('a beat is healthy once both regions have recovered, and not before', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await watched()
    for (const slot of [1, 2]) await Promise.all([check(id, 'a', slot, false), check(id, 'b', slot, false)])
    await Promise.all([check(id, 'a', 3, true), check(id, 'b', 3, true), look(service, 'beat', id)])
    expect((await storedBeat(service, id)).current_stage).toBe('healthy')
    await look(service, 'beat', id)
    expect(await stages(id)).toEqual(['healthy', 'critical', 'healthy'])
    expect(await incidentsOf(service, id)).toMatchObject([{ status: 'resolved' }])
  }
})

test('concurrent changes of several regions leave transition numbers without gaps, and each transition is settled', async () => {
  const { id } = await watched()
  const results = [false, false, true, false, false, true, true, false, false, true]
  for (const [index, ok] of results.entries()) {
    await Promise.all([check(id, 'a', index + 1, ok), check(id, 'b', index + 1, ok), look(service, 'beat', id)])
  }
  await look(service, 'beat', id)
  expect(await numbers(id)).toEqual((await numbers(id)).map((_, index) => index + 1))
  expect(await stages(id)).toEqual(['healthy', ...Array(3).fill(['critical', 'healthy']).flat()])
  expect(await storedBeat(service, id)).toMatchObject({ settled_number: 7, acted_stage: 'healthy' })
  const posted = await incidentsOf(service, id)
  expect(posted.map(({ status }) => status)).toEqual(['resolved', 'resolved', 'resolved'])
})

test('a result and an external event at the same time both count, and the last recovery wins', async () => {
  const { id } = await watched()
  const report = (event_id: string) =>
    inPage(service, (work) =>
      reportStage(work, id, { stage: 'critical', event_id, evidence: 'They say so', cause: `the event ${event_id}` }),
    )
  for (let round = 1; round <= 8; round += 1) {
    const said = await Promise.all([report(`event-${round}`), check(id, 'a', round, true), look(service, 'beat', id)])
    expect(said[0]).toMatchObject({ to_stage: 'critical' })
    await check(id, 'b', round, true)
    expect((await storedBeat(service, id)).current_stage).toBe('healthy')
  }
  await look(service, 'beat', id)
  expect(await numbers(id)).toEqual((await numbers(id)).map((_, index) => index + 1))
  expect((await stages(id)).filter((stage) => stage === 'critical')).toHaveLength(8)
  expect(await storedBeat(service, id)).toMatchObject({ current_stage: 'healthy', acted_stage: 'healthy' })
})

const seen = (id: number, region: string, agoMs: number, ok: boolean) =>
  inPage(service, async (work) => {
    const { tx, pageId, now } = work
    const at = new Date(now.getTime() - agoMs)
    tx.create(BeatResult, {
      ...{ beat_id: id, due_at: at, region, page_id: pageId, slot: 1, at, ok, latency_ms: null, status_code: null },
      ...{ packet_loss: null, certificate_days: null, evidence: `${region} ${agoMs}` },
    } as never)
    await tx.flush()
    return observeResults(work, id)
  })

test('a result that is stored after a result of a later moment of another region changes the stage', async () => {
  const rules = { critical_rule: { consecutive_failures: 1 } }
  const { id } = await actingBeat(service, { threshold_policies: rules, regions: ['a', 'b'], interval_seconds: 3600 })
  await seen(id, 'a', 1000, true)
  expect(await seen(id, 'b', 2000, false)).toMatchObject({ to_stage: 'critical', evidence: 'b 2000' })
})

test('checks with a timeout longer than the interval count as failures in a row', async () => {
  const rules = { critical_rule: { consecutive_failures: 3 } }
  const timing = { interval_seconds: 10, timeout_ms: 30_000 }
  const { id } = await actingBeat(service, { threshold_policies: rules, regions: ['a'], ...timing })
  for (const ago of [111_000, 71_000]) expect(await seen(id, 'a', ago, false)).toBeNull()
  expect(await seen(id, 'a', 31_000, false)).toMatchObject({ to_stage: 'critical' })
})

test('a step of a beat goes on while a step of its group, which holds the group, waits for the beat', async () => {
  const beat_group_id = await insertGroup(service)
  const { id } = await actingBeat(service, { beat_group_id })
  await see(service, id, 'critical')
  const waiting = () =>
    administer(
      service,
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  const groupStep = await inPage(service, async ({ tx }) => {
    const beat = await tx.findOneOrFail(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    beat.settled_number += 1
    await tx.flush()
    const step = look(service, 'beat-group', beat_group_id)
    await until(waiting, (waits) => waits.length > 0)
    await tx.execute(`set local lock_timeout = '200ms'`)
    // The second update of a row in one transaction checks its foreign keys, changed or not.
    beat.acted_stage = 'critical'
    await tx.flush()
    return [step]
  })
  await Promise.all(groupStep)
  expect(await storedBeat(service, id)).toMatchObject({ acted_stage: 'critical', counted_stage: 'critical' })
})
