import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluateResults, observeResults } from '../../src/domain/beats/stage/evaluate-results.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { storeResults } from '../support/beat-results.ts'
import { type BeatFields, inPage, insertBeat, stagesOf, storedBeat, transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const SECOND = 1000

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: NOW })
})
afterAll(() => service?.close())

/** A result with this outcome of this many seconds ago. */
const result = (beat_id: number, ago: number, ok: boolean, more: Partial<NewResult> = {}): NewResult => {
  const at = new Date(NOW.getTime() - ago * SECOND)
  return {
    ...{ beat_id, page_id: service.page.id, region: 'local', slot: null, target_number: 0, due_at: at, at, ok },
    ...{ latency_ms: ok ? 12 : null, status_code: ok ? 200 : 503, packet_loss: null, certificate_days: null },
    ...{ evidence: ok ? 'HTTP 200' : `HTTP 503, ${ago} s ago`, ...more },
  }
}

const rules = { critical_rule: { consecutive_failures: 2 } }
const healthyBeat = (fields: BeatFields = {}) =>
  insertBeat(service, { current_stage: 'healthy', interval_seconds: 1, threshold_policies: rules, ...fields })
const evaluated = (ids: number[], fresh: NewResult[]) => inPage(service, (work) => evaluateResults(work, ids, fresh))
const countOf = async (id: number) =>
  (await service.services.system.em.fork().execute<object[]>('select 1 from beat_result where beat_id = ?', [id]))
    .length

test('results that waited are evaluated in their order, so that no transition is missed', async () => {
  const id = await healthyBeat()
  const fresh = [
    ...[result(id, 60, false), result(id, 59, false), result(id, 58, true)],
    ...[result(id, 10, false), result(id, 9, false), result(id, 8, true)],
  ]
  const known = await evaluated([id], fresh)
  expect(known.get(id)).toEqual({ stage: 'healthy', unknown: false })
  expect(await stagesOf(service, id)).toEqual([
    'healthy -> critical',
    'critical -> healthy',
    'healthy -> critical',
    'critical -> healthy',
  ])
  const transitions = await transitionsOf(service, id)
  expect(transitions.map(({ number, at }) => [number, at])).toEqual([1, 2, 3, 4].map((number) => [number, NOW]))
  expect(transitions.map(({ evidence }) => evidence)).toEqual([
    ...['HTTP 503, 59 s ago', 'HTTP 200', 'HTTP 503, 9 s ago', 'HTTP 200'],
  ])
})

test('results and the stage that they change are stored in one transaction', async () => {
  const id = await healthyBeat()
  const failing = inPage(service, async (work) => {
    await evaluateResults(work, [id], [result(id, 2, false), result(id, 1, false)])
    throw new Error('the worker dies')
  })
  await expect(failing).rejects.toThrow('the worker dies')
  expect([await countOf(id), await stagesOf(service, id)]).toEqual([0, []])
})

test('many beats are evaluated in one transaction, each by its own results', async () => {
  const [ill, well, switchedOff] = [await healthyBeat(), await healthyBeat(), await healthyBeat({ enabled: false })]
  const fresh = [ill, well, switchedOff].flatMap((id) => [result(id, 2, id === well), result(id, 1, id === well)])
  const known = await evaluated([ill, well, switchedOff], fresh)
  expect([...known].map(([id, { stage }]) => [id, stage])).toEqual([
    [ill, 'critical'],
    [well, 'healthy'],
    [switchedOff, 'healthy'],
  ])
  expect(await stagesOf(service, ill)).toEqual(['healthy -> critical'])
  expect([await countOf(ill), await countOf(well), await countOf(switchedOff)]).toEqual([2, 2, 2])
})

test('a result of a former target is stored and changes no stage', async () => {
  const id = await healthyBeat({ target_number: 1 } as BeatFields)
  await evaluated([id], [result(id, 2, false), result(id, 1, false)])
  expect([await countOf(id), await stagesOf(service, id)]).toEqual([2, []])
})

test('an earlier result is evaluated with the results of other regions at its moment', async () => {
  const both = { critical_rule: { consecutive_failures: 1, regions_failing: 2 } }
  const id = await healthyBeat({ regions: ['local', 'far'], threshold_policies: both })
  await storeResults(service, [{ beat_id: id, at: new Date(NOW.getTime() - 5 * SECOND), region: 'far', ok: false }])
  // At six seconds ago the other region had not failed yet; at four it had.
  await evaluated([id], [result(id, 6, false), result(id, 4, false), result(id, 3, true)])
  const transitions = await transitionsOf(service, id)
  expect(transitions.map(({ to_stage }) => to_stage)).toEqual(['critical'])
  expect((await storedBeat(service, id)).current_stage).toBe('critical')
})

test('stored results are evaluated as of now', async () => {
  const id = await healthyBeat()
  await storeResults(
    service,
    [2, 1].map((ago) => ({ ...result(id, ago, false) })),
  )
  const transition = await inPage(service, (work) => observeResults(work, id))
  expect(transition).toMatchObject({ from_stage: 'healthy', to_stage: 'critical' })
})
