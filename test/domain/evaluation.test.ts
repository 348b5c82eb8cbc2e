import { expect, test } from '@jest/globals'
import { type Condition, type ConditionOutcome, type Program, run } from '../../src/domain/evaluation/jobs.ts'
import { LONGEST_QUOTE, quote } from '../../src/domain/evaluation/quote.ts'

const compiled = (kind: Program['kind'], text: string) =>
  (run({ do: 'compile', programs: [{ kind, text }] }, () => {}) as (string | null)[])[0]

test.each<[Program['kind'], string, RegExp | null]>([
  ['pattern', 'ok|fine', null],
  ['pattern', '(', /is not a regular expression of RE2 \(.*missing closing/],
  ['pattern', '(a)\\1', /is not a regular expression of RE2/],
  ['path', '$.a.b[0]', null],
  ['path', "$['a']['b c']", null],
  ['path', '$..a..b', null],
  ['path', '$[0, 1][1:2]', null],
  ['path', '$.list[?@.x == 1 && (@.y || !@.z)].name', null],
  ['path', '$.list[?length(@.name) > 1]', null],
  ['path', '$[?@[?@.x]]', null],
  ['path', '$[?count(@.*) > 1]', null],
  ['path', 'a.b', /is not a JSON path such as \$\.data\.status/],
  ['path', '$.', /is not a JSON path/],
  ['path', '$[?match(@.a, "(a+)+")]', null],
  ['path', '$[?search(@.a, "(a+)+")]', null],
])('the %s %s is compiled or refused', (kind, text, problem) => {
  if (problem) expect(compiled(kind, text)).toMatch(problem)
  else expect(compiled(kind, text)).toBe(null)
})

const json = (path: string, operator: Condition['operator'], value?: unknown): Condition =>
  value === undefined ? { source: 'json', path, operator } : { source: 'json', path, operator, value }

function outcomes(conditions: Condition[], text: string, until: 'first_unmet' | 'last' = 'last') {
  const document = { body: Buffer.from(text), headers: { 'x-version': ['12'], 'set-cookie': ['a=1', 'b=2'] } }
  return run({ do: 'evaluate', document, conditions, until }, () => {}) as ConditionOutcome[]
}

const list = JSON.stringify({ list: [{ x: 1 }, { x: 2 }, { x: 3 }], auth: { kind: { value: 'deep' } } })

test.each<[Condition, ConditionOutcome]>([
  [json('$.list[?@.x > 1].x', 'equals', 3), { met: true }],
  [json('$.list[?@.x > 1].x', 'equals', 4), { met: false, found: '2' }],
  [json('$.list[?@.x > 1].x', 'not_equals', 3), { met: false, found: '2' }],
  [json('$.missing', 'equals', 1), { met: false, found: null }],
  [json('$.missing', 'not_equals', 1), { met: true }],
  [json('$.list', 'exists', false), { met: false, found: '[{"x":1},{"x":2},{"x":3}]' }],
  [json('$..value', 'equals', 'x'), { met: false, found: '"•••"' }],
  [
    { source: 'header', path: 'X-Version', operator: 'less_than', value: 5 },
    { met: false, found: '"12"' },
  ],
  [{ source: 'header', path: 'Set-Cookie', operator: 'contains', value: 'b=' }, { met: true }],
  [
    { source: 'header', path: 'Missing', operator: 'exists' },
    { met: false, found: null },
  ],
  [{ source: 'body', operator: 'regex', value: '"x":3' }, { met: true }],
])('the outcome of %j is %j', (condition, outcome) => expect(outcomes([condition], list)).toEqual([outcome]))

test('conditions are evaluated up to the first condition that is not met, or completely', () => {
  const conditions = [json('$.list', 'exists'), json('$.a', 'exists'), json('$.b', 'exists')]
  expect(outcomes(conditions, list, 'first_unmet').map(({ met }) => met)).toEqual([true, false])
  expect(outcomes(conditions, list).map(({ met }) => met)).toEqual([true, false, false])
})

test('a value is found at any position of the longest list', () => {
  const numbers = JSON.stringify([...Array(130_000).fill(0), 'last'])
  expect(outcomes([json('$[*]', 'equals', 'last'), json('$..*', 'equals', 'last')], numbers)).toEqual([
    { met: true },
    { met: true },
  ])
})

test('a body that is not JSON or is nested too deeply has a special outcome', () => {
  expect(outcomes([json('$.a', 'exists')], '<html>')).toEqual([{ met: false, unreadable: 'not_json' }])
  const deep = '['.repeat(1000) + ']'.repeat(1000)
  expect(outcomes([json('$..a', 'exists'), json('$[0][0]', 'exists')], deep)).toEqual([
    { met: false, unreadable: 'too_deep' },
    { met: true },
  ])
})

test.each<[unknown, string]>([
  [{ password: 'p', note: 'plain', list: [1, null, true] }, '{"password":"•••","note":"plain","list":[1,null,true]}'],
  [[{ 'X-Api-Key': 'k', id: 7 }], '[{"X-Api-Key":"•••","id":7}]'],
  ['a"b', '"a\\"b"'],
  [{}, '{}'],
  [[], '[]'],
])('%j is quoted as %s', (value, text) => expect(quote(value)).toBe(text))

test.each([
  ['a list', Array(131_000).fill(0)],
  ['an object', Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`name ${index}`, index]))],
  ['a text', 'a'.repeat(250_000)],
  ['a name', { ['n'.repeat(250_000)]: 'v'.repeat(250_000) }],
  ['a nested list', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
])('only the start of %s that is very large is quoted', (_what, value) => {
  expect(quote(value).length).toBeLessThanOrEqual(LONGEST_QUOTE)
  expect(quote(value)).toBe(quote(value).slice(0, LONGEST_QUOTE))
  expect(quote(value).length).toBeGreaterThan(80)
})
