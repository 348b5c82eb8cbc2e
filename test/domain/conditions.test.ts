import { expect, test } from '@jest/globals'
import { conditionProblem, holds, type Operator } from '../../src/domain/kernel/conditions.ts'
import { jsonPathProblem, valuesAt } from '../../src/domain/kernel/json-path.ts'

test.each<[Operator, unknown[], unknown, boolean]>([
  ['exists', [null], undefined, true],
  ['exists', [], undefined, false],
  ['exists', [], false, true],
  ['exists', [1], false, false],
  ['equals', ['a'], 'a', true],
  ['eq', ['a'], 'A', false],
  ['equals', ['5'], 5, true],
  ['equals', [true], 'true', true],
  ['equals', [null], null, true],
  ['equals', [null], 'null', false],
  ['equals', ['x', 'a'], 'a', true],
  ['equals', [[1, 2]], [1, 2], true],
  ['equals', [], 'a', false],
  ['not_equals', [], 'a', true],
  ['neq', ['x', 'a'], 'a', false],
  ['not_equals', ['b'], 'a', true],
  ['contains', ['status: ok'], 'ok', true],
  ['contains', [['a', 'b']], 'b', true],
  ['contains', [['ab']], 'b', false],
  ['contains', [1234], 23, true],
  ['contains', [{ ok: 1 }], 'ok', false],
  ['contains', [null], 'null', false],
  ['regex', ['error 503'], '^error \\d{3}$', true],
  ['regex', ['fine'], 'error', false],
  ['regex', ['LOUD'], '(?i)loud', true],
  ['in', ['b'], ['a', 'b'], true],
  ['in', ['c'], ['a', 'b'], false],
  ['in', [2], ['2'], true],
  ['greater_than', [5], 5, false],
  ['greater_or_equal', ['5.0'], 5, true],
  ['less_than', ['-1e2'], 0, true],
  ['less_or_equal', ['many'], 5, false],
  ['less_than', [''], 5, false],
  ['less_than', [null], 5, false],
  ['after', ['2026-11-21T10:00:00+01:00'], '2026-11-21T08:59:59Z', true],
  ['after', ['2026-11-21T10:00:00Z'], '2026-11-21T10:00:00Z', false],
  ['before', [1_700_000_000], '2026-01-01T00:00:00Z', true],
  ['before', [1_700_000_000_000], '2023-11-14T22:13:21Z', true],
  ['before', ['yesterday'], '2026-01-01T00:00:00Z', false],
])('%s of %j and %j: %s', (operator, found, value, expected) => {
  expect(holds(operator, found, value)).toBe(expected)
})

test.each<[Operator, unknown, RegExp | null]>([
  ['equals', undefined, /needed for equals/],
  ['equals', null, null],
  ['exists', 'yes', /true, false or left out/],
  ['in', 'a', /must be a list/],
  ['greater_than', 'many', /must be a number/],
  ['less_than', '5', null],
  ['after', '2026-11-21', /date-time with an offset/],
  ['before', '2026-11-21T10:00:00Z', null],
  ['regex', '(', /not a regular expression of RE2/],
  ['regex', '(a)\\1', /not a regular expression of RE2/],
  ['regex', '', /must be a regular expression/],
  ['regex', '((a{1,100}){1,10}){1,10}', /repeats too much|not a regular expression/],
  ['regex', 'a'.repeat(501), /500 characters/],
])('%s with %j: %s', (operator, value, problem) => {
  if (problem) expect(conditionProblem(operator, value)).toMatch(problem)
  else expect(conditionProblem(operator, value)).toBe(null)
})

test.each([
  ['$.a.b[0]', null],
  ["$['a']['b c']", null],
  ['$..a', null],
  ['$.list[?@.x == 1 && (@.y || !@.z)].name', null],
  ['$.list[?length(@.name) > 1]', null],
  ['a.b', /is not a JSON path/],
  ['$.', /is not a JSON path/],
  ['$[?match(@.a, "(a+)+")]', /is not a JSON path/],
  ['$[?search(@.a, "(a+)+")]', /is not a JSON path/],
  ['$..a..b', /descend with \.\. once/],
  ['$[0,0][0,0]', /one selector/],
  ['$[?@..x]', /single values/],
  ['$[?@[?@.x]]', /single values/],
  ['$[?count(@.*) > 1]', /single values/],
])('the path %s: %s', (path, problem) => {
  if (problem) expect(jsonPathProblem(path)).toMatch(problem)
  else expect(jsonPathProblem(path)).toBe(null)
})

test('a path finds values in order, and refuses a document that would take it long', () => {
  expect(valuesAt('$.list[?@.x > 1].x', { list: [{ x: 1 }, { x: 2 }, { x: 3 }] })).toEqual([2, 3])
  expect(valuesAt('$.a', null)).toEqual([])
  const large = { list: Array(25_000).fill(1) }
  expect(valuesAt('$.list[24999]', large)).toEqual([1])
  expect(() => valuesAt('$..a', large)).toThrow('too many values')
  expect(valuesAt('$[*]', Array(5000).fill(1))).toHaveLength(1000)
})
