import { expect, test } from '@jest/globals'
import { RE2JS } from 're2js'
import { holds } from '../../src/domain/evaluation/conditions.ts'
import { partsOf, patternBoundProblem } from '../../src/domain/evaluation/pattern-rules.ts'

test.each([
  ['^b', 'a\nb', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['a$', 'a\n', false],
  ['\\bé', 'aé', true],
  ['\\Bb\\b', 'ab c', true],
  ['^.$', '😀', true],
  ['(?i)straße', 'STRAßE', true],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['x*', '', true],
  ['[^\\x00-\\x7f]', 'plain', false],
])('%j in %j: %s', (pattern, text, expected) => expect(holds('regex', [text], pattern)).toBe(expected))

test.each<[string, number]>([
  ['okay|fine|ok', 12],
  ['\\d{4}-\\d{2}', 7],
  ['a{3,}', 4],
  ['a{2,5}', 8],
  ['a{0}', 1],
  ['(a{3}){2}', 10],
  ['(?:a{10}){10}', 100],
  ['a{10}(?i){10}', 100],
  ['[]{9}]{3}', 3],
  ['[[:alpha:]{9}]{3}', 3],
  ['\\Q(a{9}\\E{3}', 7],
  ['\\p{Greek}{3}', 3],
  ['\\{9}', 3],
  ['a{,9}', 5],
  ['(?P<name>a)', 3],
  ['(a*){999}', 3996],
])('the pattern %s has %i parts', (pattern, parts) => expect(partsOf(pattern)).toBe(parts))

test.each([`${'(a*){999}'.repeat(54)}1`, '((a{1,100}){1,10}){1,10}', '(?:(?:a{50}b){50})*'])(
  'the pattern %s is refused by its text alone, with the bound',
  (pattern) => expect(patternBoundProblem(pattern)).toMatch(/^repeats too much .* multiply to \d+ parts, and 2000 are/),
)

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('no pattern is compiled into more than twice the counted parts', () => {
  const number = numbers(7)
  const one = <T>(list: readonly T[]): T => list[number(list.length)]!
  const atoms = [
    ...[
      'a',
      'b',
      '.',
      '[^a]',
      '\\w',
      '[]]',
      '[a\\]{9}]',
      '[[:alpha:]x]',
      '\\x{e9}',
      '\\x41',
      '\\101',
      '\\pL',
      '\\p{Greek}',
    ],
    ...['\\Qa(b\\E', '^', '$', '\\b', '(?i:k)', '', '()', '(?i)', '😀', '{', '}', '{,3}'],
  ]
  const repeats = ['*', '+', '?', '*?', '{2,3}', '{0,2}', '{3}', '{0}', '{0,}', '{2,}', '{1,5}?', '{7}']
  const pattern = (depth: number): string => {
    const kind = depth === 0 ? 0 : number(4)
    if (kind === 0) return one(atoms)
    if (kind === 1) return pattern(depth - 1) + pattern(depth - 1)
    if (kind === 2) return `${one(['(?:', '('])}${pattern(depth - 1)}|${pattern(depth - 1)})`
    return `${one(['(', '(?:'])}${pattern(depth - 1)})${one(repeats)}`
  }
  let compiled = 0
  for (let tries = 0; tries < 5000; tries += 1) {
    const source = pattern(5)
    let size: number
    try {
      size = RE2JS.compile(source).programSize()
    } catch {
      continue
    }
    compiled += 1
    expect([source, size <= 2 * partsOf(source) + 3]).toEqual([source, true])
  }
  expect(compiled).toBeGreaterThan(3000)
})
