import { beforeEach, expect, test } from '@jest/globals'
import { beat, ill, openScheduler, well } from './open-scheduler.ts'

const SECOND = 1000

let table: ReturnType<typeof openScheduler>
beforeEach(() => {
  table = openScheduler()
})

/** The database has stored all submitted results, and the beat has this stage. */
const storeAll = (stage: 'healthy' | 'critical' | null, unknown = false) => {
  for (const [index, onStored] of table.stored.entries()) onStored(table.results[index]!, { stage, unknown })
  table.results.length = 0
  table.stored.length = 0
}

test('a beat whose results match its stage is not evaluated', async () => {
  table.scheduler.schedule([beat(1)])
  for (let n = 0; n < 20; n += 1) {
    await table.timers.pass(SECOND)
    storeAll('healthy')
  }
  expect(table.asked).toEqual([])
})

test('each fact that may change a stage causes one evaluation', async () => {
  table.scheduler.schedule([beat(1)])
  table.says = () => ill
  await table.timers.pass(3 * SECOND)
  storeAll('healthy')
  expect(table.asked).toEqual([1])
  storeAll('healthy')
  expect(table.asked).toEqual([1])
  table.says = () => well
  await table.timers.pass(3 * SECOND)
  storeAll('critical')
  expect(table.asked).toEqual([1, 1])
})

test('a beat with changing results is evaluated again when its failures suffice again', async () => {
  table.scheduler.schedule([beat(1)])
  for (const outcome of [ill, ill, well, ill, ill]) {
    table.says = () => outcome
    await table.timers.pass(SECOND)
  }
  await table.timers.pass(SECOND)
  storeAll('healthy')
  expect(table.asked).toEqual([1, 1])
})

test('the first result of a beat with an unknown stage causes an evaluation', async () => {
  table.scheduler.schedule([beat(1, { known: { stage: 'healthy', unknown: true } })])
  await table.timers.pass(2 * SECOND)
  storeAll('healthy', true)
  expect(table.asked).toEqual([1])
})

test('a beat that was read again is evaluated once more', async () => {
  table.scheduler.schedule([beat(1)])
  table.says = () => ill
  await table.timers.pass(3 * SECOND)
  storeAll('healthy')
  table.scheduler.know(1, { stage: 'healthy', unknown: false })
  expect(table.asked).toEqual([1, 1])
  await table.timers.pass(SECOND)
  storeAll('healthy')
  expect(table.asked).toEqual([1, 1])
})

const failure = (due: number) => ({ ok: false, latency_ms: null, packet_loss: null, certificate_days: null, due })

test('results that were stored without an evaluation are evaluated as soon as a lease reads them', () => {
  table.scheduler.schedule([beat(1, { tail: [failure(2), failure(1)] }), beat(2, { tail: [failure(1)] })])
  expect(table.asked).toEqual([1])
})

test('a failed evaluation is requested again without another result', async () => {
  let fails = true
  table.answers = async () => {
    if (fails) throw new Error('The database is away')
  }
  table.scheduler.schedule([beat(1, { interval_seconds: 86_400, tail: [failure(2), failure(1)] })])
  await table.timers.pass(5 * SECOND)
  fails = false
  await table.timers.pass(60 * SECOND)
  expect(table.asked).toEqual([1, 1, 1, 1])
})

test('an evaluation without a change is repeated at growing intervals, because it depends on facts that the lease does not see', async () => {
  table.scheduler.schedule([beat(1)])
  table.says = () => ill
  const asked: number[] = []
  for (let second = 0; second < 300; second += 1) {
    await table.timers.pass(SECOND)
    storeAll('healthy')
    if (table.asked.length > asked.length) asked.push(second)
  }
  const pauses = asked.slice(1).map((second, index) => second - asked[index]!)
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60])
})
