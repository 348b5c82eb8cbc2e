import { expect, test } from '@jest/globals'
import { etagIn, knownEtag, preferredEncoding } from '../../src/web/answers/encodings-rules.ts'

test.each([
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['BR ; Q=0.5', 'br'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['*;q=0', 'identity'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['identity', 'identity'],
  ['identity;q=0.5, gzip;q=0.1', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', 'identity'],
  ['gzip;q=wrong', 'identity'],
  ['x-gzip', 'gzip'],
  ['deflate', 'identity'],
  [';;,,q=1', 'identity'],
])('a client that accepts "%s" gets %s', (acceptEncoding, encoding) => {
  expect(preferredEncoding(acceptEncoding)).toBe(encoding)
})

test('the ETag of an encoding', () => {
  expect([etagIn('"a"', 'identity'), etagIn('"a"', 'br'), etagIn('"a"', 'gzip')]).toEqual(['"a"', '"a-br"', '"a-gzip"'])
})

test.each([
  ['', undefined],
  ['"b"', undefined],
  ['"a-zstd"', undefined],
  ['"a-gzip"', '"a-gzip"'],
  ['"a-br"', '"a-br"'],
  ['"a"', '"a"'],
  ['W/"a-br"', '"a-br"'],
  ['"b", "a-br","a-gzip"', '"a-gzip"'],
  [' * ', '"a-gzip"'],
])('a client with %s that prefers gzip has the body "a" as %s', (ifNoneMatch, known) => {
  expect(knownEtag(ifNoneMatch, '"a"', 'gzip')).toBe(known)
})
