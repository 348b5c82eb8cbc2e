import { describe, expect, test } from '@jest/globals'
import { observeResults } from '../../src/domain/beats/stage/evaluate-results.ts'
import { storeResults } from '../support/beat-results.ts'
import { beatsPath, makeBeat } from '../support/beats.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { inPage, stagesOf, storedBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

/** Stores a result of the present target, and evaluates the beat. */

const begun = new Date('2026-03-01T10:00:00Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const read = async (id: number) => (await service.admin.get(`${beatsPath}/${id}`)).body
const change = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)
const pass = (seconds: number) => {
  service.now = new Date(service.now.getTime() + seconds * 1000)
}

/** Stores the result of a check a second later, and evaluates the beat. */
async function see(beat_id: number, result: object) {
  pass(1)
  const { target_number } = await storedBeat(service, beat_id)
  await storeResults(service, [{ beat_id, at: service.now, target_number, ...result }])
  await inPage(service, (work) => observeResults(work, beat_id))
}
const fails = { ok: false, status_code: 503, latency_ms: 3, evidence: 'answered 503' }

test('results of an earlier target do not count for the stage', async () => {
  const { id } = await makeBeat(service, { threshold_policies: { critical_rule: { consecutive_failures: 3 } } })
  await see(id, fails)
  await see(id, fails)
  pass(1)
  await change(id, { target: { url: 'https://example.com/other' } })
  await see(id, fails)
  await see(id, fails)
  expect((await read(id)).current_stage).toBeNull()
  // A check that began before the change is stored after the change.
  await see(id, { ...fails, target_number: 0 })
  expect((await read(id)).current_stage).toBeNull()
  await see(id, fails)
  expect((await read(id)).current_stage).toBe('critical')
  // A change of the name keeps the target.
  await change(id, { name: 'Other' })
  await see(id, {})
  await see(id, fails)
  await see(id, fails)
  pass(1)
  await change(id, { name: 'Another' })
  await see(id, fails)
  expect(await stagesOf(service, id)).toEqual(['null -> critical', 'critical -> healthy', 'healthy -> critical'])
})

test('the stage of a beat is unknown after a change of its type', async () => {
  const { id } = await makeBeat(service, { threshold_policies: { critical_rule: { consecutive_failures: 1 } } })
  await see(id, fails)
  expect((await read(id)).current_stage).toBe('critical')
  pass(1)
  await change(id, { type: 'tcp', target: { host: 'example.com', port: 443 } })
  expect(await read(id)).toMatchObject({
    current_stage: null,
    unknown_because: 'the type was changed from http to tcp',
  })
  await see(id, {})
  const after = await read(id)
  expect(after.current_stage).toBe('healthy')
  expect(after).not.toHaveProperty('unknown_because')
})

test('a beat that no worker checks has no interval', async () => {
  const { id } = await makeBeat(service, { interval_seconds: 5 })
  const heartbeat = { type: 'heartbeat', target: { period_seconds: 300 } }
  const wrong = await change(id, { ...heartbeat, interval_seconds: 300 })
  expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ path: 'interval_seconds' }]])
  expect(JSON.stringify(wrong.body)).toContain('period_seconds')
  expect((await change(id, heartbeat)).body.interval_seconds).toBe(60)
  const made = await service.admin.post(beatsPath, { name: 'B', ...heartbeat, interval_seconds: 300 })
  expect([made.status, made.body.errors]).toMatchObject([400, [{ path: 'interval_seconds' }]])
  expect((await change(id, await read(id))).status).toBe(200)
})

describe('the evidence of a transition', () => {
  const latest = async (id: number) => (await service.admin.get(`${beatsPath}/${id}/transitions`)).body.transitions[0]

  test('is that of the check that meets the rule, not of an earlier failed check', async () => {
    const warning_rule = { latency_ms_over: 100 }
    const { id } = await makeBeat(service, {
      threshold_policies: { warning_rule, critical_rule: { consecutive_failures: 5 } },
    })
    await see(id, fails)
    await see(id, { latency_ms: 300, evidence: 'answered 200, after 300 ms' })
    expect(await latest(id)).toMatchObject({ to_stage: 'warning', evidence: 'answered 200, after 300 ms' })
  })

  test('is that of a failed check, even if the last check succeeded', async () => {
    const warning_rule = { failures_in_window: { failures: 2, checks: 4 } }
    const { id } = await makeBeat(service, { threshold_policies: { warning_rule } })
    for (const second of [1, 2]) {
      await storeResults(service, [{ beat_id: id, at: new Date(begun.getTime() - second * 1000), ...fails }])
    }
    await see(id, {})
    expect(await latest(id)).toMatchObject({ to_stage: 'warning', evidence: 'answered 503' })
  })
})
