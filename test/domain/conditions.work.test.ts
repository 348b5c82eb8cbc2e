import { describe, expect, test } from '@jest/globals'
import { brokenAssertion } from '../../activities/checks/assertions.ts'
import type { Assertion } from '../../src/domain/beats/targets/assertion.ts'
import { conditionProblem, holds, type Operator } from '../../src/domain/kernel/conditions.ts'
import { valuesAt } from '../../src/domain/kernel/json-path.ts'
import { Work } from '../../src/domain/kernel/work.ts'

const repeated = <T>(times: number, value: T): T[] => Array(times).fill(value)
const mixed = Array.from({ length: 250_000 }, (_, i) => 'ab a'[(i * i) % 4]).join('')

/** Far more than it should take, and far less than it would take uncounted. */
function soon<T>(run: () => T): T {
  const begun = performance.now()
  const result = run()
  expect(performance.now() - begun).toBeLessThan(1000)
  return result
}

test.each(['(a|b)*a(a|b| ){200}[de]', '(?:a?b?){100}[d-f]', '(\\pL|\\d| ){1,200}[x-z]'])(
  'the pattern %s is given up on a long text, and that can be told',
  (pattern) => {
    expect(conditionProblem('regex', pattern)).toBe(null)
    const work = new Work()
    expect(soon(() => holds('regex', [mixed], pattern, work))).toBe(false)
    expect(work.isSpent).toBe(true)
  },
)

test.each(['^(a+)+$', '(x+x+)+y', 'needle|hay', '"status":\\s*"(up|ok)"', '(?i)error \\d{3}'])(
  'the pattern %s looks through all of a long text',
  (pattern) => {
    const work = new Work()
    expect(holds('regex', [mixed], pattern, work)).toBe(false)
    expect(work.isSpent).toBe(false)
  },
)

test('what is at the end of the longest body is found', () => {
  expect(holds('regex', [`${mixed}"status": "up"`], '"status":\\s*"(up|ok)"$')).toBe(true)
})

test.each<[string, Operator, unknown[], unknown]>([
  ['a pattern on many values', 'regex', repeated(999, 'a'.repeat(250)), '(a|a?){100}[b-d]'],
  [
    'a long text in one that nearly holds it',
    'contains',
    repeated(5, 'a'.repeat(250_000)),
    `${'a'.repeat(999)}b${'a'.repeat(1000)}`,
  ],
  ['a long list in many lists', 'contains', repeated(1000, repeated(20_000, 'a')), 'b'],
  ['a list in many values', 'in', repeated(1000, {}), repeated(100, 'b')],
])('%s are given up, whatever the condition', (_what, operator, found, value) => {
  const work = new Work()
  expect(soon(() => holds(operator, found, value, work))).toBe(false)
  expect(work.isSpent).toBe(true)
  for (const other of ['equals', 'not_equals', 'exists'] as const) expect(holds(other, ['b'], 'c', work)).toBe(false)
})

test.each<Operator>(['greater_than', 'less_or_equal', 'after', 'before'])(
  'that a long text is no number or moment for %s takes no time',
  (operator) => {
    const value = operator === 'after' || operator === 'before' ? '2026-01-01T00:00:00Z' : 1
    for (const text of [`${'1'.repeat(250_000)}x`, ' '.repeat(250_000), `2026-01-01T00:00${'Z'.repeat(250_000)}`]) {
      expect(soon(() => holds(operator, [text], value))).toBe(false)
    }
  },
)

describe('paths', () => {
  const list = Array.from({ length: 6600 }, (_, x) => ({ x, y: 'z' }))

  test('those of one evaluation share what they may do', () => {
    const work = new Work()
    const many = () => repeated(20, '$..[?@.x == 1 && @.y == 2]').map((path) => valuesAt(path, list, work))
    expect(() => soon(many)).toThrow('takes too long')
    expect(work.isSpent).toBe(true)
    expect(() => valuesAt('$', list, work)).toThrow('takes too long')
  })

  test('as many as a check can have go through what services usually answer', () => {
    const work = new Work()
    for (const path of repeated(20, '$..[?@.x == 1].y')) expect(valuesAt(path, list.slice(0, 200), work)).toEqual(['z'])
    expect(work.isSpent).toBe(false)
  })

  test.each<[string, unknown]>([
    ['$.items[*].y', { items: list }],
    ['$.data.items[*].y', { data: { items: list } }],
    ['$.page.rows[*][0].y', { page: { rows: list.slice(0, 5000).map((one) => [one]) }, others: repeated(50_000, 1) }],
    ['$.lists[*].items[*].y', { lists: repeated(20, { items: list.slice(0, 50) }) }],
  ])('as many of %s as a check can have go through a large document', (path, document) => {
    const work = new Work()
    const all = () => repeated(20, path).map((one) => holds('equals', valuesAt(one, document, work), 'z', work))
    expect(soon(all)).toEqual(repeated(20, true))
    expect(work.isSpent).toBe(false)
  })

  const nested = (levels: number, within: (value: unknown) => unknown) =>
    repeated(130, Array(levels).fill(0).reduce(within, 1))
  test.each<[string, unknown]>([
    ['$[*].none', repeated(20_000, 1)],
    ['$[*].none', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name ${at}`, at]))],
    ['$[*][*].none', repeated(141, repeated(140, {}))],
    [`$${'[*]'.repeat(150)}`, nested(150, (value) => [value])],
    [`$[*]${'.a'.repeat(150)}.none`, nested(150, (a) => ({ a }))],
  ])('as many of %.20s are given up where each takes long', (path, document) => {
    const work = new Work()
    expect(() => soon(() => repeated(20, path).map((one) => valuesAt(one, document, work)))).toThrow('takes too long')
    expect(work.isSpent).toBe(true)
  })

  test('all of a list that is too long, and all of a text, are not looked for', () => {
    expect(() => valuesAt('$.a[*]', { a: repeated(20_001, 1) })).toThrow('too many values')
    expect(valuesAt('$.a[*]', { a: 'a'.repeat(250_000) })).toEqual([])
  })

  test('a filter that compares all with all counts as that', () => {
    const document = { list: repeated(6000, 1), a: repeated(6000, 1), b: repeated(6000, 1), c: 1 }
    expect(() => soon(() => valuesAt('$.list[?$.a == $.b]', document))).toThrow('takes too long')
    expect(valuesAt('$.list[?@ == $.c]', document)).toHaveLength(1000)
  })
})

describe('the assertions of a check', () => {
  const check = (assertions: Assertion[], body: string) =>
    brokenAssertion(
      { url: 'https://example.com/', assertions },
      { url: new URL('https://example.com/'), status: 200, headers: {}, body: Buffer.from(body), cut: false },
    )

  test('share what they may do, and say when it was not enough', async () => {
    const costly: Assertion = { source: 'json', path: '$[*]', operator: 'regex', value: '(a|a?){100}[b-d]' }
    const body = JSON.stringify([...repeated(999, 'a'.repeat(250)), 'b'])
    const begun = performance.now()
    expect(await check(repeated(5, costly), body)).toBe(
      'The assertions are too costly for what was answered: they were given up at regex on $[*]',
    )
    expect(performance.now() - begun).toBeLessThan(1000)
    const plain: Assertion = { source: 'body', operator: 'regex', value: 'okay|fine|ok' }
    expect(await check([plain, plain], `${mixed}ok`)).toBe(null)
    expect(await check(repeated(20, plain), `${mixed}ok`)).toMatch(/too costly .* at regex on the body$/)
    expect(await check([{ ...plain, operator: 'not_equals', value: 'x' }], mixed)).toBe(null)
  })
})
