import { describe, expect, test } from '@jest/globals'
import { makeKey, openKeyring } from '../../src/domain/kernel/keyring.ts'

const [oldKey, newKey] = [makeKey(), makeKey()]

test.each(['', 'x', 'ünï 🔥 in a sentence', 'x'.repeat(100_000)])('what is encrypted is decrypted', (plain) => {
  const ring = openKeyring(oldKey)
  const sealed = ring.encrypt(plain, 'here')
  expect(ring.decrypt(sealed, 'here')).toBe(plain)
  // A letter or two may well stand in any ciphertext.
  if (plain.length > 8) expect(Buffer.from(sealed.ciphertext, 'base64').includes(plain)).toBe(false)
})

test('the same is never sealed the same way twice', () => {
  const ring = openKeyring(oldKey)
  expect(ring.encrypt('a', 'here').ciphertext).not.toBe(ring.encrypt('a', 'here').ciphertext)
})

describe('nothing is opened', () => {
  const ring = openKeyring(oldKey)
  const sealed = ring.encrypt('secret', 'page 1: smtp')

  test('a secret cannot be decrypted with the context of another place', () => {
    for (const context of ['page 2: smtp', 'page 1: sso', '']) expect(() => ring.decrypt(sealed, context)).toThrow()
  })

  test('after a change of a single byte', () => {
    const bytes = Buffer.from(sealed.ciphertext, 'base64')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index]! ^= 1
      const ciphertext = changed.toString('base64')
      expect(() => ring.decrypt({ ...sealed, ciphertext }, 'page 1: smtp')).toThrow()
    }
    expect(() => ring.decrypt({ ...sealed, ciphertext: '' }, 'page 1: smtp')).toThrow()
    // A shortened tag would be quicker to guess.
    const short = bytes.subarray(0, -8).toString('base64')
    expect(() => ring.decrypt({ ...sealed, ciphertext: short }, 'page 1: smtp')).toThrow()
  })

  test('with another key, which is named', () => {
    expect(() => openKeyring(newKey).decrypt(sealed, 'page 1: smtp')).toThrow(sealed.key_id)
  })
})

test('the first key is used for new values, the others still open old ones', () => {
  const old = openKeyring(oldKey).encrypt('secret', 'here')
  const both = openKeyring(`${newKey}, ${oldKey}`)
  expect(both.decrypt(old, 'here')).toBe('secret')
  const again = both.encrypt('secret', 'here')
  expect(again.key_id).toBe(both.currentKeyId)
  expect(again.key_id).not.toBe(old.key_id)
  expect(openKeyring(newKey).decrypt(again, 'here')).toBe('secret')
})

describe('a signature', () => {
  const ring = openKeyring(oldKey)
  const signature = ring.sign('subscriber 7', 'links')

  test('is verified, also after the key became an older one', () => {
    expect(ring.verify('subscriber 7', 'links', signature)).toBe(true)
    expect(openKeyring(`${newKey},${oldKey}`).verify('subscriber 7', 'links', signature)).toBe(true)
    expect(signature).toMatch(/^[\w-]{22}$/)
  })

  test.each([
    ['of another text', 'subscriber 8', 'links', signature],
    ['of another context', 'subscriber 7', 'other', signature],
    ['whose context and text are joined in another place', 'subscriber 7links', '', signature],
    ['of another key', 'subscriber 7', 'links', openKeyring(newKey).sign('subscriber 7', 'links')],
    ['that is shorter', 'subscriber 7', 'links', signature.slice(0, -4)],
    ['that is empty', 'subscriber 7', 'links', ''],
  ])('%s is refused', (_name, text, context, wrong) => {
    expect(ring.verify(text, context, wrong)).toBe(false)
  })
})

test.each([
  '',
  'short',
  `${'A'.repeat(43)}=,`,
  Buffer.alloc(16).toString('base64'),
  Buffer.alloc(33).toString('base64'),
])('keys like %j are refused', (keys) => {
  expect(() => openKeyring(keys)).toThrow(/ENCRYPTION_KEYS/)
})
