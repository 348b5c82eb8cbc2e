import { expect, test } from '@jest/globals'
import { holds } from '../../src/domain/evaluation/conditions.ts'
import { conditionProblem, type Operator } from '../../src/domain/evaluation/schema.ts'

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
])('the operator %s with the values %j and the operand %j holds: %s', (operator, found, value, expected) => {
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
  ['regex', '(', null],
  ['regex', '', /must be a regular expression/],
  [
    'regex',
    '((a{1,100}){1,10}){1,10}',
    /repeats too much for regex: its repetitions multiply to 20219 parts, and 2000 are allowed/,
  ],
  ['regex', 'a'.repeat(501), /500 characters/],
])('the problem of the operator %s with the operand %j is %s', (operator, value, problem) => {
  if (problem) expect(conditionProblem(operator, value)).toMatch(problem)
  else expect(conditionProblem(operator, value)).toBe(null)
})

test.each<Operator>(['greater_than', 'less_or_equal', 'after', 'before'])(
  'a long text is no number or moment for %s, and is not searched for one',
  (operator) => {
    const value = operator === 'after' || operator === 'before' ? '2026-01-01T00:00:00Z' : 1
    for (const text of [`${'1'.repeat(250_000)}x`, ' '.repeat(250_000), `2026-01-01T00:00${'Z'.repeat(250_000)}`]) {
      expect(holds(operator, [text], value)).toBe(false)
    }
  },
)
