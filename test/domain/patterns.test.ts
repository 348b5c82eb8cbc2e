import { expect, test } from '@jest/globals'
import { RE2JS } from 're2js'
import { isFound } from '../../src/domain/kernel/patterns.ts'
import { Work } from '../../src/domain/kernel/work.ts'

const found = (pattern: string, text: string) => isFound(pattern, text, new Work())

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
])('%j in %j: %s', (pattern, text, expected) => expect(found(pattern, text)).toBe(expected))

/** Numbers as good as random ones, and the same each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('what runs here finds what the engines of the library find', () => {
  const number = numbers(7)
  const one = <T>(list: readonly T[]): T => list[number(list.length)]!
  const atoms = [
    ...['a', 'b', '.', '[^a]', '\\w', '\\d', '\\s', '\\n', 'é', '[а-я]', '😀', '(?i:k)', '(?i:ſ)', '(?s:.)'],
    ...['^', '$', '(?m:^)', '(?m:$)', '\\b', '\\B', '\\A', '\\z', '[[:alpha:]]'],
  ]
  const repeats = ['*', '+', '?', '*?', '+?', '{2,3}', '{0,2}']
  const pattern = (depth: number): string => {
    const kind = depth === 0 ? 0 : number(4)
    if (kind === 0) return one(atoms)
    if (kind === 1) return pattern(depth - 1) + pattern(depth - 1)
    if (kind === 2) return `(?:${pattern(depth - 1)}|${pattern(depth - 1)})`
    return `(${pattern(depth - 1)})${one(repeats)}`
  }
  const letters = ['a', 'b', 'A', ' ', '\n', 'é', 'я', '😀', '1', '_', 'K', '\u212a', 'ſ', 's', '\ud83d']
  const seen = { true: 0, false: 0 }
  for (let tries = 0; tries < 3000; tries++) {
    const source = pattern(4)
    const text = Array.from({ length: number(12) }, () => one(letters)).join('')
    const expected = RE2JS.compile(source).matcher(text).find()
    seen[`${expected}`]++
    expect([source, text, found(source, text)]).toEqual([source, text, expected])
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(500)
})
