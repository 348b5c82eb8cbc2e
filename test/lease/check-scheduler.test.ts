import { beforeEach, expect, test } from '@jest/globals'
import type { CheckOutcome } from '../../activities/checks/contract.ts'
import { dueOf, gridOf } from '../../activities/lease/grid-rules.ts'
import { CheckImpossible } from '../../src/outbound/connections/failure.ts'
import { beat, openScheduler, well } from './open-scheduler.ts'

const SECOND = 1000

let table: ReturnType<typeof openScheduler>
beforeEach(() => {
  table = openScheduler()
})

const isRow = (slots: number[]) => slots.every((slot, index) => index === 0 || slot === slots[index - 1]! + 1)

test.each([0, 10, 400, 800])('a check that takes %d ms of a second moves no slot', async (ms) => {
  table.takes = () => ms
  table.scheduler.schedule([beat(1)])
  await table.timers.pass(60 * SECOND)
  const grid = gridOf(1, 'local', SECOND)
  expect(table.results.length).toBeGreaterThanOrEqual(58)
  // The first slot may have been taken late; later checks begin at their due moments.
  expect(isRow(table.slotsOf(1).slice(1))).toBe(true)
  for (const { slot, due_at, at } of table.results.slice(1)) {
    expect(due_at.getTime()).toBe(dueOf(grid, slot!))
    expect(at).toEqual(due_at)
  }
})

test('a result has the fields of its row', async () => {
  table.scheduler.schedule([beat(7, { page_id: 3 })])
  await table.timers.pass(2 * SECOND)
  expect(table.results.at(-1)).toMatchObject({
    ...{ beat_id: 7, page_id: 3, region: 'local', ok: true, latency_ms: 12, status_code: 200 },
    ...{ packet_loss: null, certificate_days: null, evidence: well.evidence },
  })
})

test('a check that hangs delays no other check, and its own slots are skipped meanwhile', async () => {
  table.takes = (id) => (id === 1 ? 3500 : 5)
  table.scheduler.schedule(Array.from({ length: 100 }, (_, index) => beat(index + 1)))
  await table.timers.pass(20 * SECOND)
  for (let id = 2; id <= 100; id += 1) {
    const late = table.began.filter((one) => one.id === id).slice(1)
    expect(late.every(({ at }) => (at - gridOf(id, 'local', SECOND).phase) % SECOND === 0)).toBe(true)
    expect(late.length).toBeGreaterThanOrEqual(18)
  }
  const [, ...slots] = table.slotsOf(1)
  expect(slots.length).toBeGreaterThanOrEqual(3)
  expect(slots.slice(1).map((slot, index) => slot - slots[index]!)).toEqual(slots.slice(1).map(() => 4))
  expect(table.seen.filter((one) => one === 'passed').length).toBeGreaterThanOrEqual(12)
})

test('slots that were missed in a gap are not made up', async () => {
  table.scheduler.schedule([beat(1)])
  await table.timers.pass(5 * SECOND)
  const before = table.slotsOf(1)
  table.timers.freeze(30 * SECOND)
  await table.timers.pass(3 * SECOND)
  const after = table.slotsOf(1).slice(before.length)
  expect(after[0]! - before.at(-1)!).toBeGreaterThanOrEqual(30)
  expect(isRow(after)).toBe(true)
  expect(after.length).toBeLessThanOrEqual(4)
})

test('checks continue after the clock was set back', async () => {
  table.scheduler.schedule([beat(1)])
  await table.timers.pass(5 * SECOND)
  table.timers.set(-3600 * SECOND)
  const { length } = table.results
  await table.timers.pass(3640 * SECOND)
  expect(table.results.length - length).toBeGreaterThan(3500)
})

test('a changed beat is checked at once, and the result of the running check of the old target is dropped', async () => {
  table.takes = () => 500
  table.scheduler.schedule([beat(1)])
  await table.timers.pass(10 * SECOND)
  const { length: runs } = table.began
  while (table.began.length === runs) await table.timers.pass(10)
  const { length } = table.results
  const old = table.began.at(-1)!
  table.scheduler.schedule([
    beat(1, {
      config_version: 2,
      target: { url: 'http://another/' },
      tail: [{ ...well, packet_loss: null, certificate_days: null, due: 0 }],
    }),
  ])
  expect(old.signal.aborted).toBe(true)
  await table.timers.pass(450)
  expect(table.results).toHaveLength(length)
  await table.timers.pass(3 * SECOND)
  expect(table.results.length).toBeGreaterThan(length)
  expect(table.began.at(-1)!.version).toBe(2)
})

test('checks of a paused or deleted beat end at once', async () => {
  table.takes = () => 500
  table.scheduler.schedule([beat(1), beat(2)])
  await table.timers.pass(10 * SECOND)
  table.scheduler.unschedule(1)
  const { length } = table.began.filter(({ id }) => id === 1)
  await table.timers.pass(5 * SECOND)
  expect(table.began.filter(({ id }) => id === 1)).toHaveLength(length)
  expect(table.began.filter(({ id }) => id === 2).length).toBeGreaterThanOrEqual(14)
})

test('a change without effect on the check keeps the running check and the grid', async () => {
  table.takes = () => 700
  table.scheduler.schedule([beat(1)])
  await table.timers.pass(3 * SECOND + 300)
  const running = table.began.at(-1)!
  table.scheduler.schedule([beat(1, { config_version: 2, target: {} })])
  await table.timers.pass(3 * SECOND)
  expect(running.signal.aborted).toBe(false)
  const slots = table.slotsOf(1)
  expect(slots).toEqual(slots.map((_, index) => slots[0]! + index))
  expect(table.began.at(-1)!.version).toBe(2)
})

test('a stopped scheduler begins no check, and running checks are finished, stored and evaluated', async () => {
  table.takes = () => 2 * SECOND
  table.scheduler.schedule([beat(1), beat(2)])
  await table.timers.pass(1500)
  const { length } = table.began
  expect(length).toBe(2)
  table.scheduler.stop()
  table.scheduler.schedule([beat(3)])
  await table.timers.pass(5 * SECOND)
  expect(table.began).toHaveLength(length)
  expect(table.results.map(({ beat_id }) => beat_id).sort()).toEqual([1, 2])
  for (const [index, onStored] of table.stored.entries())
    onStored(table.results[index]!, { stage: 'healthy', unknown: false })
  expect(table.asked.sort()).toEqual([1, 2])
})

test('the end of the process waits for running checks for a limited time', async () => {
  table.takes = (id) => (id === 1 ? 2 : 100) * SECOND
  table.scheduler.schedule([beat(1), beat(2)])
  await table.timers.pass(1500)
  table.scheduler.stop()
  const finished = table.scheduler.finished(3 * SECOND)
  await table.timers.pass(3 * SECOND)
  await finished
  expect(table.results.map(({ beat_id }) => beat_id)).toEqual([1])
  expect(table.began.map(({ id, signal }) => [id, signal.aborted])).toEqual(
    expect.arrayContaining([
      [1, false],
      [2, true],
    ]),
  )
})

test('the first check of a beat with a long interval has no slot', async () => {
  table.scheduler.schedule([beat(1, { interval_seconds: 86_400 })])
  await table.timers.pass(11 * SECOND)
  const [first] = table.results
  expect(first).toMatchObject({ slot: null })
  expect(first!.due_at).toEqual(first!.at)
  table.scheduler.schedule([
    beat(1, { interval_seconds: 86_400, config_version: 2, target: { url: 'http://another/' } }),
  ])
  await table.timers.pass(11 * SECOND)
  expect(table.results).toHaveLength(2)
})

test('a machine that cannot check and a bug of the service produce no result', async () => {
  table.scheduler.schedule([beat(1)])
  table.says = () => new CheckImpossible('This machine has no IPv6')
  await table.timers.pass(3 * SECOND)
  table.says = () => new TypeError('x is not a function')
  await table.timers.pass(3 * SECOND)
  expect(table.results).toEqual([])
  expect(new Set(table.seen)).toEqual(new Set(['impossible', 'broken']))
})

test('the reason why a beat cannot be checked is reported once, and again after another reason or a check', async () => {
  const pass = async (outcome: CheckOutcome | Error, seconds = 5) => {
    table.says = () => outcome
    await table.timers.pass(seconds * SECOND)
    return table.unable.splice(0)
  }
  table.scheduler.schedule([beat(1)])
  const refused: CheckOutcome = { ok: false, latency_ms: null, evidence: 'It is private', refused: true }
  expect(await pass(refused)).toEqual(['1: It is private'])
  expect(await pass(new CheckImpossible('No IPv6'))).toEqual(['1: No IPv6'])
  expect(table.results).toEqual([])
  expect(await pass(well)).toEqual([])
  expect(await pass(refused)).toEqual(['1: It is private'])
})

test('a report that is not settled is repeated each minute', async () => {
  table.settles = () => false
  table.scheduler.schedule([beat(1)])
  table.says = () => new CheckImpossible('No IPv6')
  await table.timers.pass(130 * SECOND)
  expect(table.unable).toHaveLength(3)
  table.settles = () => true
  await table.timers.pass(200 * SECOND)
  expect(table.unable).toHaveLength(4)
})
