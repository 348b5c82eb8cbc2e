import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { requireShallow } from '../../src/web/body.ts'

const accepts = (text: string, mostDepth: number): boolean => {
  try {
    requireShallow(Buffer.from(text), mostDepth)
    return true
  } catch {
    return false
  }
}

test.each<[string, number, boolean]>([
  ['{}', 1, true],
  ['{"a":[]}', 1, false],
  ['[[],[],[]]', 2, true],
  ['{"a":"[[[[{{{{"}', 1, true],
  ['{"a\\"[[[":1}', 1, true],
  ['{"a":"\\\\","b":[1]}', 1, false],
  ['{"é[":"😀{"}', 1, true],
])('%s within %i levels: %s', (text, mostDepth, expected) => expect(accepts(text, mostDepth)).toBe(expected))

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('the levels of random JSON are those of its value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), fc.nat(6), fc.boolean(), (value, most, spaced) =>
      expect(accepts(JSON.stringify(value, null, spaced ? 2 : 0), most)).toBe(depthOf(value) <= most),
    ),
  )
})
