import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Context } from '../../src/domain/kernel/context.ts'
import { makeKey, openKeyring } from '../../src/domain/kernel/keyring.ts'
import { keepSecret, sealOf, useSecret } from '../../src/domain/kernel/secrets.ts'
import { Secret } from '../../src/persistence/entities/secret.ts'
import { reencryptSecrets } from '../../src/persistence/system/secrets.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const oldKey = makeKey()
const oldRing = openKeyring(oldKey)
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const inPage = <T>(work: (ctx: Context) => Promise<T>, page = service.page) =>
  inPageTransaction(service.services.app, page.id, (tx) => work({ tx, page, now: service.now } as Context))
const keep = (name: string, value: string | null, page = service.page) =>
  inPage((ctx) => keepSecret(ctx, oldRing, name, value), page)
const use = (name: string, ring = oldRing, page = service.page) => inPage((ctx) => useSecret(ctx, ring, name), page)
const stored = (where = {}) => service.services.system.em.fork().find(Secret, where, { orderBy: { id: 'asc' } })

test('a secret is kept, used, replaced and forgotten', async () => {
  await keep('smtp', 'one')
  expect(await use('smtp')).toBe('one')
  await keep('smtp', 'two')
  expect(await use('smtp')).toBe('two')
  expect(await stored({ name: 'smtp' })).toHaveLength(1)
  await keep('smtp', null)
  expect(await use('smtp')).toBeNull()
})

test('the database holds nothing that can be read', async () => {
  await keep('sso', 'very-secret')
  const dump = JSON.stringify(await stored())
  expect(dump).not.toContain('very-secret')
  expect(dump).not.toContain(Buffer.from('very-secret').toString('base64').replace(/=+$/, ''))
})

test('another page has its own, and a ciphertext that was moved to it does not open', async () => {
  await keep('moved', 'mine')
  expect(await use('moved', oldRing, service.otherPage)).toBeNull()
  const em = service.services.system.em.fork()
  await em.nativeUpdate(Secret, { name: 'moved' }, { page_id: service.otherPage.id })
  await expect(use('moved', oldRing, service.otherPage)).rejects.toThrow()
  await em.nativeDelete(Secret, { name: 'moved' })
})

test('a new key takes over every secret, in batches, and the old one is then needed no more', async () => {
  for (let n = 0; n < 130; n += 1) await keep(`many-${n}`, `value ${n}`, n % 2 ? service.page : service.otherPage)
  const newKey = makeKey()
  const both = openKeyring(`${newKey},${oldKey}`)
  const before = (await stored()).length
  const rotate = () =>
    reencryptSecrets(service.services.system, both.currentKeyId, (secret) =>
      both.encrypt(both.decrypt(secret, sealOf(secret)), sealOf(secret)),
    )
  expect(await rotate()).toBe(before)
  expect(await rotate()).toBe(0)
  expect(new Set((await stored()).map((secret) => secret.key_id))).toEqual(new Set([both.currentKeyId]))
  const only = openKeyring(newKey)
  expect(await use('many-1', only)).toBe('value 1')
  expect(await use('many-128', only, service.otherPage)).toBe('value 128')
  await expect(use('many-1', oldRing)).rejects.toThrow(/not among ENCRYPTION_KEYS/)
})
