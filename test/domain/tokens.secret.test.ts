import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { makeToken, matches, prefixOf } from '../../src/domain/tokens/secret.ts'

test('a token has the form of the contract, and its hash is the SHA-256 of the whole', () => {
  const { token, prefix, hash } = makeToken()
  expect(token).toMatch(/^upb_[a-z0-9]{10}_[a-z0-9]{40}[0-9a-f]{8}$/)
  expect(token.slice(4, 14)).toBe(prefix)
  expect(hash).toBe(createHash('sha256').update(token).digest('base64url'))
})

test('no two are alike, and every letter comes as often as the others', () => {
  const tokens = Array.from({ length: 1000 }, makeToken)
  expect(new Set(tokens.map(({ prefix }) => prefix)).size).toBe(1000)
  const counts = new Map<string, number>()
  for (const { token } of tokens)
    for (const letter of token.slice(15, 55)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(36)
  const expected = (1000 * 40) / 36
  for (const [letter, count] of counts)
    expect([letter, Math.abs(count - expected) < expected / 4]).toEqual([letter, true])
})

describe('tampering', () => {
  const { token, prefix, hash } = makeToken()

  test('the token itself is right', () => {
    expect([prefixOf(token), matches(token, hash)]).toEqual([prefix, true])
  })

  test('any other letter anywhere is noticed by the check sum, and by the hash', () => {
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a'
      const wrong = token.slice(0, index) + other + token.slice(index + 1)
      expect([index, prefixOf(wrong), matches(wrong, hash)]).toEqual([index, undefined, false])
    }
  })

  test.each([
    '',
    'upb_',
    token.slice(1),
    `${token} `,
    `${token}\n`,
    token.toUpperCase(),
    token.replace('upb', 'ghp'),
    token.slice(0, -1),
    `${token}0`,
  ])('%j is none', (wrong) => {
    expect([prefixOf(wrong), matches(wrong, hash)]).toEqual([undefined, false])
  })

  test('a hash of another length or of nothing matches nothing', () => {
    expect([matches(token, ''), matches(token, `${hash}x`), matches('', hash)]).toEqual([false, false, false])
  })
})
