import { describe, expect, test } from '@jest/globals'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import { makeKey, openKeyring } from '../../src/domain/kernel/keyring.ts'
import { purposes } from '../../src/domain/subscribers/link-rules.ts'
import { linksFor, readLink } from '../../src/domain/subscribers/links.ts'

const services = { keyring: openKeyring(makeKey()), baseUrl: 'https://status.example/', baseDomain: undefined }
const page = { id: 3, public_slug: 'shop', custom_domains: [] } as unknown as PageRef
const subscriber = { id: 2_147_483_647, state: 'pending', confirmation_number: 2, address: 'a@example.com' } as const
const now = new Date('2026-11-23T10:00:00Z')
const links = linksFor(services, page, subscriber, now)
const tokenOf = (url: string | undefined) => new URL(url!).searchParams.get('token')!
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const read = (token: string, purpose: (typeof purposes)[number], at = now) => readLink(services, token, purpose, at)

describe('a link', () => {
  test.each(purposes)('to %s has its facts, and no other purpose', (purpose) => {
    const token = tokenOf(links[purpose])
    const number = purpose === 'confirm' ? 2 : 0
    expect(read(token, purpose)).toMatchObject({ link: { pageId: 3, subscriberId: subscriber.id, number } })
    for (const other of purposes.filter((one) => one !== purpose))
      expect(read(token, other)).toEqual({ problem: 'invalid' })
    expect(token).toMatch(/^[\w-]{50}$/)
  })

  test('is at the address of the page', () => {
    expect(links.manage).toMatch(/^https:\/\/status\.example\/api\/v1\/subscriptions\/manage\?token=/)
    const below = linksFor({ ...services, baseDomain: 'up.example' }, page, subscriber, now)
    expect(new URL(below.manage).host).toBe('shop.up.example')
    const custom = linksFor(services, { ...page, custom_domains: ['status.shop.example'] }, subscriber, now)
    expect(new URL(custom.unsubscribe).origin).toBe('https://status.shop.example')
  })

  test.each([
    ['confirm', 7 * 24 * 60],
    ['manage', 30],
  ] as const)('to %s expires', (purpose, minutes) => {
    const token = tokenOf(links[purpose])
    expect(read(token, purpose, later(minutes - 1))).toEqual({ link: expect.objectContaining({ purpose }) })
    expect(read(token, purpose, later(minutes))).toMatchObject({ problem: 'expired' })
  })

  test('to unsubscribe does not expire', () => {
    expect(read(tokenOf(links.unsubscribe), 'unsubscribe', later(10_000_000))).toEqual({
      link: expect.objectContaining({ expiresAt: null }),
    })
  })

  test('that was changed in any character is refused', () => {
    const token = tokenOf(links.unsubscribe)
    for (let index = 0; index < token.length; index += 1) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
      // The last character has bits that no byte holds.
      if (index < token.length - 1) expect(read(changed, 'unsubscribe')).toEqual({ problem: 'invalid' })
    }
    for (const wrong of ['', 'x', token.slice(1), `${token}AAAA`])
      expect(read(wrong, 'unsubscribe')).toEqual({ problem: 'invalid' })
  })

  test('is read after the keys were rotated', () => {
    const [first, second] = [makeKey(), makeKey()]
    const older = { ...services, keyring: openKeyring(first) }
    const token = tokenOf(linksFor(older, page, subscriber, now).manage)
    expect(readLink({ keyring: openKeyring(`${second},${first}`) }, token, 'manage', now)).toMatchObject({
      link: { pageId: 3 },
    })
    expect(readLink({ keyring: openKeyring(second) }, token, 'manage', now)).toEqual({ problem: 'invalid' })
  })

  test('to confirm is for a subscriber that is not active', () => {
    expect(linksFor(services, page, { ...subscriber, state: 'active' }, now).confirm).toBeUndefined()
    expect(linksFor(services, page, { ...subscriber, state: 'unsubscribed' }, now).confirm).toBeDefined()
  })
})
