import { afterEach, expect, test } from '@jest/globals'
import { type Evaluation, type Evaluator, openEvaluator } from '../../src/domain/evaluation/evaluator.ts'
import type { Condition } from '../../src/domain/evaluation/jobs.ts'
import { EvaluationThread } from '../../src/domain/evaluation/thread.ts'

let evaluator: Evaluator | undefined
afterEach(() => evaluator?.close())

/** Long enough for any machine; tests of ended jobs set lower limits. */
const ENOUGH = { cpuMs: 60_000, elapsedMs: 60_000 }
const repeated = <T>(times: number, value: T): T[] => Array(times).fill(value)

const evaluation = (conditions: Condition[], body: string): Evaluation => ({
  document: { body: Buffer.from(body), headers: {} },
  conditions,
  until: 'last',
})
const contains = (value: string): Condition => ({ source: 'body', operator: 'contains', value })
const path = (text: string): Condition => ({ source: 'json', path: text, operator: 'not_equals', value: 'none' })
const simple = evaluation([contains('a')], 'abc')

/** Counts the threads, each of which has the next limits of the list. */
function counted(...limits: (typeof ENOUGH)[]) {
  const threads = { started: 0, ended: 0 }
  const startThread = () => {
    const thread = new EvaluationThread(limits[Math.min(threads.started, limits.length - 1)]!)
    threads.started += 1
    return {
      run: thread.run.bind(thread),
      end: async () => {
        await thread.end()
        threads.ended += 1
      },
    }
  }
  return { threads, startThread }
}

/** Evaluations that take until their limit: a filter that counts the whole document for each of its values. */
const endless = evaluation(
  [contains('0'), path('$[?count($..*) == count($..*)]')],
  JSON.stringify(repeated(100_000, 0)),
)

test('an evaluation with too much CPU time is ended, and the next evaluation runs on a new thread', async () => {
  const { threads, startThread } = counted({ cpuMs: 20, elapsedMs: 60_000 }, ENOUGH)
  evaluator = openEvaluator({ startThread })
  const [first, second] = await Promise.all([evaluator.evaluate(1, endless), evaluator.evaluate(1, simple)])
  expect(first).toEqual({ ended: 'too_expensive', at: 1 })
  expect(second).toEqual([{ met: true }])
  expect(threads).toEqual({ started: 2, ended: 1 })
})

test('an evaluation with too much elapsed time is ended as overloaded', async () => {
  const { threads, startThread } = counted({ cpuMs: 60_000, elapsedMs: 300 }, ENOUGH)
  evaluator = openEvaluator({ startThread })
  expect(await evaluator.evaluate(1, endless)).toEqual({ ended: 'overloaded' })
  expect(await evaluator.evaluate(1, simple)).toEqual([{ met: true }])
  expect(threads.started).toBe(2)
})

test('an evaluation with too much memory is ended as too expensive', async () => {
  const { threads, startThread } = counted(ENOUGH)
  evaluator = openEvaluator({ startThread })
  const twice = `$[?count(@${'[0,0]'.repeat(40)}) > 1]`
  const nested = `${'['.repeat(45)}1${']'.repeat(45)}`
  expect(await evaluator.evaluate(1, evaluation([path(twice)], nested))).toEqual({ ended: 'too_expensive', at: 0 })
  expect(await evaluator.evaluate(1, simple)).toEqual([{ met: true }])
  expect(threads.started).toBe(2)
})

test('a compilation with too much CPU time is ended, with the index of the pattern', async () => {
  const { startThread } = counted({ cpuMs: 5, elapsedMs: 60_000 })
  evaluator = openEvaluator({ startThread })
  const programs = [{ kind: 'pattern' as const, text: 'ok' }, ...repeated(200, expensivePattern)]
  expect(await evaluator.compile(1, programs)).toEqual({ ended: 'too_expensive', at: expect.any(Number) })
})

const expensivePattern = { kind: 'pattern' as const, text: `(?i)${'\\PL'.repeat(160)}` }

test('the first job starts the thread, which ends without jobs', async () => {
  const { threads, startThread } = counted(ENOUGH)
  evaluator = openEvaluator({ startThread, idleMs: 1 })
  expect(threads.started).toBe(0)
  expect(await evaluator.evaluate(1, simple)).toEqual([{ met: true }])
  while (threads.ended === 0) await new Promise(setImmediate)
  expect(await evaluator.evaluate(1, simple)).toEqual([{ met: true }])
  expect(threads.started).toBe(2)
})

test('the jobs of several pages are run in turn', async () => {
  evaluator = openEvaluator()
  const order: string[] = []
  const submit = (pageId: number, name: string) => evaluator!.evaluate(pageId, simple).then(() => order.push(name))
  await Promise.all([submit(1, '1a'), submit(1, '1b'), submit(1, '1c'), submit(2, '2a'), submit(3, '3a')])
  expect(order).toEqual(['1a', '1b', '2a', '3a', '1c'])
})

test('the bytes of waiting documents are bounded', async () => {
  evaluator = openEvaluator()
  const large = evaluation([contains('b')], 'a'.repeat(1024 * 1024))
  const answers = await Promise.all(repeated(40, large).map((one, index) => evaluator!.evaluate(index, one)))
  const refused = answers.filter((answer) => 'ended' in answer)
  // The first job runs at once and does not wait.
  expect(refused).toEqual(repeated(40 - 1 - 31, { ended: 'overloaded' }))
  expect(await evaluator.evaluate(1, large)).toEqual([{ met: false, found: expect.any(String) }])
})

test('a job that waits or runs while the evaluator is closed is answered', async () => {
  evaluator = openEvaluator({ startThread: counted(ENOUGH).startThread })
  const answers = Promise.all([evaluator.evaluate(1, endless), evaluator.evaluate(1, simple)])
  await evaluator.close()
  expect(await answers).toEqual([{ ended: 'overloaded' }, { ended: 'overloaded' }])
  expect(await evaluator.evaluate(1, simple)).toEqual({ ended: 'overloaded' })
})

const records = Array.from({ length: 6600 }, (_, x) => ({ x, y: 'z' }))
const mixed = Array.from({ length: 250_000 }, (_, index) => 'ab a'[(index * index) % 4]).join('')
const regex = (value: string): Condition => ({ source: 'body', operator: 'regex', value })

test.each<[Condition, string]>([
  [path('$.data.items[*].y'), JSON.stringify({ data: { items: records } })],
  [path('$..[?@.x == 1].y'), JSON.stringify(records.slice(0, 200))],
  [path('$.lists[*].items[*].y'), JSON.stringify({ lists: repeated(20, { items: records.slice(0, 50) }) })],
  [regex('okay|fine|ok'), `${mixed}ok`],
  [regex('(?i)error \\d{3}'), `${mixed}ERROR 503`],
  [regex('"status":\\s*"(up|ok)"$'), `${mixed}"status": "up"`],
])('as many of %j as a check can have are evaluated over a long body', async (condition, body) => {
  evaluator = openEvaluator()
  expect(await evaluator.evaluate(1, evaluation(repeated(20, condition), body))).toEqual(repeated(20, { met: true }))
})
