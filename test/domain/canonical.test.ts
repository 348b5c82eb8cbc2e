import { describe, expect, test } from '@jest/globals'
import { canonical, fingerprint } from '../../src/domain/kernel/canonical.ts'

describe('equal values in different spellings', () => {
  test.each([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: { x: 1, y: [1, { p: 1, q: 2 }] } }, { a: { y: [1, { q: 2, p: 1 }], x: 1 } }],
    [{ a: 1, b: undefined }, { a: 1 }],
    [
      { 10: 'a', 9: 'b' },
      { 9: 'b', 10: 'a' },
    ],
  ])('%j and %j', (one, other) => {
    expect(canonical(one)).toBe(canonical(other))
    expect(fingerprint(one)).toBe(fingerprint(other))
  })
})

describe('not the same', () => {
  test.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [] }, { a: {} }],
    [{ a: { b: 1 } }, { b: { a: 1 } }],
    [{ a: 'b' }, { a: 'B' }],
    [{ a: '' }, { a: null }],
    [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
  ])('%j and %j', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other))
  })
})

test('a fingerprint reveals nothing of its content', () => {
  expect(fingerprint({ token: 'secret' })).toMatch(/^[\w-]{43}$/)
  expect(fingerprint(undefined)).toMatch(/^[\w-]{43}$/)
})
