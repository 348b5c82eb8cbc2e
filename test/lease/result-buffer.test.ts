import { beforeEach, expect, test } from '@jest/globals'
import { openResultBuffer } from '../../activities/lease/result-buffer.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { type FakeTimers, fakeTimers } from './fake-timers.ts'

let timers: FakeTimers
let batches: number[][]
let storedSlots: number[]
let evaluated: { pageId: number; slots: number[] }[]
let dropped: number
let backlog: number
let logged: { level: number; msg: string }[]
/** The answer of the database to a batch. */
let problem: (slots: number[]) => object | null

beforeEach(() => {
  timers = fakeTimers()
  batches = []
  storedSlots = []
  evaluated = []
  dropped = 0
  backlog = 0
  logged = []
  problem = () => null
})

const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
const refusal = Object.assign(new Error('no'), { code: '22P05' })

function open(most = 100) {
  const buffer = openResultBuffer({
    timers,
    most,
    logger: createLogger('info', 'test', { write: (line) => logged.push(JSON.parse(line)) }),
    async store(results) {
      const slots = results.map(({ slot }) => slot!)
      const wrong = problem(slots)
      if (wrong) throw wrong
      batches.push(slots)
      return new Map()
    },
    async evaluate(pageId, results) {
      const slots = results.map(({ slot }) => slot!)
      const wrong = problem(slots)
      if (wrong) throw wrong
      evaluated.push({ pageId, slots })
      return new Map()
    },
    observe(what) {
      if ('dropped' in what) dropped += what.dropped
      else backlog = what.backlog
    },
  })
  return {
    ...buffer,
    take: (slot: number, { beat = 1, page = 1, evaluate = false } = {}) =>
      buffer.submit(
        { beat_id: beat, page_id: page, slot } as NewResult,
        ({ slot }) => storedSlots.push(slot!),
        evaluate,
      ),
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('results within a quarter of a second are stored in one statement, and each callback runs after its result is stored', async () => {
  const buffer = open()
  buffer.take(1)
  await timers.pass(200)
  buffer.take(2)
  expect({ batches, storedSlots }).toEqual({ batches: [], storedSlots: [] })
  await timers.pass(50)
  expect({ batches, storedSlots }).toEqual({ batches: [[1, 2]], storedSlots: [1, 2] })
  buffer.take(3)
  await timers.pass(250)
  expect(batches).toEqual([[1, 2], [3]])
  expect(timers.pending()).toBe(0)
})

test('results wait for a database that is away, in their order', async () => {
  const buffer = open()
  problem = () => away
  for (const slot of [1, 2, 3]) {
    buffer.take(slot)
    await timers.pass(1000)
  }
  expect({ batches, storedSlots, backlog }).toEqual({ batches: [], storedSlots: [], backlog: 3 })
  problem = () => null
  await timers.pass(250)
  expect({ batches, storedSlots, dropped, backlog }).toEqual({
    batches: [[1, 2, 3]],
    storedSlots: [1, 2, 3],
    dropped: 0,
    backlog: 0,
  })
})

test('the beginning and the end of an outage of the database are logged once', async () => {
  const buffer = open()
  for (const [from, seconds] of [
    [1, 30],
    [101, 10],
  ] as const) {
    problem = () => away
    for (let second = 0; second < seconds; second += 1) {
      buffer.take(from + second)
      await timers.pass(1000)
    }
    expect(logged).toMatchObject([{ level: 40, count: 1, err: { code: 'ECONNREFUSED' } }])
    problem = () => null
    await timers.pass(1000)
    buffer.take(99)
    await timers.pass(1000)
    expect(logged.slice(1)).toMatchObject([{ level: 30, seconds, count: seconds }])
    logged = []
  }
})

test('above the limit of waiting results the oldest are discarded and counted', async () => {
  const buffer = open(100)
  problem = () => away
  for (const slot of numbers(1, 150)) buffer.take(slot)
  await timers.pass(1000)
  for (const slot of numbers(151, 3000)) buffer.take(slot)
  await timers.pass(1000)
  expect({ dropped, backlog }).toEqual({ dropped: 2900, backlog: 100 })
  problem = () => null
  await timers.pass(1000)
  expect(batches).toEqual([numbers(2901, 3000)])
})

test('a result that the database refuses does not prevent the storing of others', async () => {
  const buffer = open()
  problem = (slots) => (slots.includes(6) ? refusal : null)
  for (const slot of numbers(1, 9)) buffer.take(slot)
  await timers.pass(250)
  expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 7, 8, 9])
  expect(dropped).toBe(1)
  expect(timers.pending()).toBe(0)
})

test('at the end of the process waiting results are stored at once, without waiting for a database that is away', async () => {
  const buffer = open()
  buffer.take(1)
  await buffer.close()
  expect(batches).toEqual([[1]])
  problem = () => away
  buffer.take(2)
  await buffer.close()
  await timers.pass(5000)
  expect(batches).toEqual([[1]])
})

test('a result that may change a stage is stored where its beat is evaluated, with all other results of that beat', async () => {
  const buffer = open()
  buffer.take(1)
  buffer.take(2, { beat: 2 })
  buffer.take(3, { evaluate: true })
  buffer.take(4, { beat: 3, page: 2, evaluate: true })
  await timers.pass(250)
  expect(batches).toEqual([[2]])
  expect(evaluated).toEqual([
    { pageId: 1, slots: [1, 3] },
    { pageId: 2, slots: [4] },
  ])
  expect(storedSlots.sort()).toEqual([1, 2, 3, 4])
})

test('results whose evaluation finds the database away are evaluated later in their order', async () => {
  const buffer = open()
  problem = (slots) => (slots.includes(2) ? away : null)
  buffer.take(1)
  buffer.take(2, { beat: 2, evaluate: true })
  await timers.pass(250)
  expect({ batches, evaluated, storedSlots, backlog }).toEqual({
    batches: [[1]],
    evaluated: [],
    storedSlots: [1],
    backlog: 1,
  })
  problem = () => null
  buffer.take(3, { beat: 2 })
  await timers.pass(250)
  expect(evaluated).toEqual([{ pageId: 1, slots: [2, 3] }])
})

test('results whose evaluation fails by a bug are stored without an evaluation', async () => {
  const buffer = open()
  let mistakes = 1
  problem = () => (mistakes-- > 0 ? new TypeError('undefined is not a function') : null)
  buffer.take(1, { evaluate: true })
  await timers.pass(250)
  expect({ batches, evaluated, storedSlots }).toEqual({ batches: [[1]], evaluated: [], storedSlots: [1] })
  expect(logged.map(({ msg }) => msg)).toEqual(['results could not be evaluated; they are stored unevaluated'])
})
