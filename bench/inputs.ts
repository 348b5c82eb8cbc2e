import { setTimeout as sleep } from 'node:timers/promises'
import { brokenAssertion } from '../activities/checks/assertions.ts'
import { CheckAttempt } from '../activities/checks/check-attempt.ts'
import { BeatCreateRequest } from '../src/domain/beats/definition/schema.ts'
import { compileTarget } from '../src/domain/beats/targets/target-programs.ts'
import type { Assertion } from '../src/domain/beats/types/assertion.ts'
import { HttpTarget } from '../src/domain/beats/types/http.ts'
import { type Evaluator, openEvaluator } from '../src/domain/evaluation/evaluator.ts'
import { Problem } from '../src/domain/kernel/errors.ts'
import { parseInput } from '../src/domain/kernel/parse.ts'
import type { Say } from './support/bench-service.ts'
import { longestHold } from './support/loop-hold.ts'
import type { Figure, Report } from './support/report.ts'

const LONGEST_HOLD_MS = 20
const ASSERTIONS = 20
const PATTERNS = 500

interface Input {
  name: string
  assertion(index: number): Assertion
  body: string
}

const pattern = (value: string): Assertion => ({ source: 'body', operator: 'regex', value })
const path = (text: string, operator: 'equals' | 'not_equals'): Assertion => ({
  source: 'json',
  path: text,
  operator,
  value: 'x',
})
const texts = Array.from({ length: 250_000 }, (_, index) => 'ab a'[(index * index) % 4]).join('')
const numbers = JSON.stringify(Array(131_000).fill(0))
const records = JSON.stringify(Array.from({ length: 6600 }, (_, x) => ({ x, y: [1, 2, { z: 3 }] })))
const nested = `${'['.repeat(45)}1,1${']'.repeat(45)}`

/** The most expensive that were found, each as often as one beat may have it. Texts match at their end, if at all. */
const inputs: Input[] = [
  {
    name: 'a nested repetition, 54 times',
    assertion: (at) => pattern(`${'(a*){999}'.repeat(54)}${at}`),
    body: texts,
  },
  { name: '160 Unicode classes', assertion: () => pattern(`(?i)${'\\PL'.repeat(160)}`), body: texts },
  {
    name: '100 letters of any case',
    assertion: () => pattern('(?i)\\pL{100}x'),
    body: `${texts}${'a'.repeat(100)}x`,
  },
  {
    name: 'words of any case',
    assertion: () => pattern('(?i)(\\pL{1,5} ?){1,100}\\d'),
    body: `${texts}1`,
  },
  { name: 'up to 200 of three classes', assertion: () => pattern('(\\pL|\\d| ){1,200}[x-z]'), body: `${texts}x` },
  {
    name: 'one of two, then 200 of three',
    assertion: () => pattern('(a|b)*a(a|b| ){200}[de]'),
    body: `${texts}${'a'.repeat(201)}d`,
  },
  { name: '131,000 values, the first quoted', assertion: () => path('$.*', 'equals'), body: numbers },
  { name: 'three descents', assertion: () => path('$..*..*..*', 'not_equals'), body: records },
  {
    name: 'a filter that counts everything',
    assertion: () => path('$[?count($..*) > count(@..*)]', 'not_equals'),
    body: records,
  },
  {
    name: 'the same element twice, 40 levels',
    assertion: () => path(`$${'[0,0]'.repeat(40)}`, 'not_equals'),
    body: nested,
  },
]

/** How long the event loop is held by the most expensive patterns and paths, where they are saved and where they are evaluated. */
export default async function measureInputs(say: Say): Promise<Report> {
  const evaluator = openEvaluator()
  const figures: Figure[] = []
  for (const input of inputs) {
    const target = {
      url: 'https://example.com/',
      assertions: Array.from({ length: ASSERTIONS }, (_, at) => input.assertion(at)),
    }
    const saved = await longestHold(() => save(evaluator, target))
    const checked = await longestHold(() => check(evaluator, target, input.body))
    say(
      `${input.name}: ${saved.result} (${saved.elapsedMs.toFixed(0)} ms); ${checked.result} (${checked.elapsedMs.toFixed(0)} ms)`,
    )
    figures.push(hold(`${input.name}: save`, saved.longestMs), hold(`${input.name}: check`, checked.longestMs))
  }
  figures.push(...(await memory(evaluator)))
  await evaluator.close()
  return {
    how: [
      `Each of ${inputs.length} patterns and paths, ${ASSERTIONS} times in one beat, goes through the validation of a request and, over a body of 250 KB, through the evaluation of a check, whether or not it was accepted. The hold is the most CPU time that the thread of the event loop took in one turn.`,
      `The memory is what the process takes in addition after ${PATTERNS} different patterns of 480 characters were evaluated, with the evaluation thread and after the end of the thread.`,
    ],
    figures,
  }
}

const hold = (name: string, value: number): Figure => ({ name, value, unit: 'ms', target: { atMost: LONGEST_HOLD_MS } })

/** What a request does with a target before it opens a transaction and after. */
async function save(evaluator: Evaluator, target: HttpTarget): Promise<string> {
  try {
    const input = parseInput(BeatCreateRequest, { name: 'Shop', type: 'api', target })
    await compileTarget({ evaluator }, { id: 1 }, input)
    parseInput(HttpTarget, target)
    return 'accepted'
  } catch (error) {
    if (error instanceof Problem) return `refused: ${error.message.slice(0, 100)}`
    throw error
  }
}

async function check(evaluator: Evaluator, target: HttpTarget, text: string): Promise<string> {
  const attempt = new CheckAttempt({
    signal: new AbortController().signal,
    timeout_ms: 10_000,
    guard: 'any',
    own_ports: { includes: () => false },
    evaluate: (evaluation) => evaluator.evaluate(1, evaluation),
  })
  const answer = { url: new URL(target.url), status: 200, headers: {}, body: Buffer.from(text), cut: false }
  return (await brokenAssertion(target, answer, attempt)) ?? 'every assertion holds'
}

async function memory(evaluator: Evaluator): Promise<Figure[]> {
  const document = { body: Buffer.from('a'.repeat(1000)), headers: {} }
  const before = process.memoryUsage().rss
  for (let at = 0; at < PATTERNS; at += 1) {
    const value = `(?i)${'\\PL'.repeat(155)}${at}`
    await evaluator.evaluate(1, { document, conditions: [pattern(value)], until: 'last' })
  }
  const during = process.memoryUsage().rss
  await evaluator.close()
  await sleep(1000)
  const megabytes = (bytes: number) => (bytes - before) / 1024 / 1024
  return [
    { name: 'memory, with the thread', value: megabytes(during), unit: 'MB', target: { under: 150 } },
    { name: 'memory, after the end of the thread', value: megabytes(process.memoryUsage().rss), unit: 'MB' },
  ]
}
