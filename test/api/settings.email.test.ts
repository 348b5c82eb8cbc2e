import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { settingSecret } from '../../src/domain/settings/secrets.ts'
import { Secret } from '../../src/persistence/entities/secret.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ beatTargets: 'public' })
})
afterAll(() => service.close())

const path = '/admin/settings'
const set = {
  email_delivery_mode: 'smtp',
  email_from_address: 'status@acme.test',
  email_from_name: 'Acme',
  email_reply_to_address: 'help@acme.test',
  email_smtp_host: 'smtp.acme.test',
  email_smtp_port: '465',
  email_smtp_username: 'acme',
}
const nothing = Object.fromEntries([...Object.keys(set), 'email_smtp_password'].map((name) => [name, null]))
beforeEach(() => service.admin.patch(path, nothing))

const password = () =>
  inPageTransaction(service.services.app, service.page.id, (tx) =>
    settingSecret(tx, service.services.keyring, 'email_smtp_password'),
  )

test('the settings of mail are stored and read by administrators', async () => {
  const answer = await service.admin.patch(path, set)
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(set)])
  expect((await service.admin.get(path)).body).toMatchObject(set)
  const shown = (await service.as(undefined).get('/settings')).body
  expect(Object.keys(shown).filter((name) => name.startsWith('email_'))).toEqual([])
})

test('the password is encrypted, and in no answer and in no audit row', async () => {
  const { body, status } = await service.admin.patch(path, { ...set, email_smtp_password: 'S3CRET-one' })
  expect([status, body.email_smtp_password]).toEqual([200, undefined])
  expect(await password()).toBe('S3CRET-one')
  const again = await service.admin.patch(path, { email_smtp_password: 'S3CRET-two' })
  expect(again.body.version).toBe(body.version + 1)
  expect(await password()).toBe('S3CRET-two')
  const answers = [body, (await service.admin.get(path)).body, (await service.as(undefined).get('/settings')).body]
  const audit = (await service.admin.get('/admin/audit-events?limit=100')).body
  const rows = await inPageTransaction(service.services.app, service.page.id, (tx) => tx.findAll(Secret))
  expect(rows).toHaveLength(1)
  expect(JSON.stringify([answers, audit, rows])).not.toContain('S3CRET')
})

test('another change keeps the password, and null deletes the password', async () => {
  await service.admin.patch(path, { ...set, email_smtp_password: 'S3CRET' })
  const { body } = await service.admin.get(path)
  await service.admin.patch(path, { ...body, email_from_name: 'Other' })
  expect(await password()).toBe('S3CRET')
  await service.admin.patch(path, { email_smtp_password: null })
  expect(await password()).toBeNull()
})

test.each([
  [{ email_delivery_mode: 'smtp' }, ['email_smtp_host', 'email_from_address']],
  [{ email_delivery_mode: 'smtp', email_smtp_host: 'smtp.acme.test' }, ['email_from_address']],
  [{ email_delivery_mode: 'pigeon' }, ['email_delivery_mode']],
  [{ email_from_address: 'acme' }, ['email_from_address']],
  [{ email_from_address: 'a@b.test\r\nBcc: c@d.test' }, ['email_from_address']],
  [{ email_reply_to_address: 'a@b.test, c@d.test' }, ['email_reply_to_address']],
  [{ email_smtp_host: 'smtp.acme.test:25' }, ['email_smtp_host']],
  [{ email_smtp_host: 'http://smtp.acme.test' }, ['email_smtp_host']],
  [{ email_smtp_host: '127.0.0.1' }, ['email_smtp_host']],
  [{ email_smtp_host: '169.254.169.254' }, ['email_smtp_host']],
  [{ email_smtp_port: '0' }, ['email_smtp_port']],
  [{ email_smtp_port: '65536' }, ['email_smtp_port']],
  [{ email_smtp_port: 'smtp' }, ['email_smtp_port']],
])('%j is refused', async (body, fields) => {
  const { status, body: answer } = await service.admin.patch(path, body)
  expect([status, answer.errors.map((error: { path: string }) => error.path)]).toEqual([400, fields])
})

test('a port of the service is refused as mail server', async () => {
  const own = { includes: (host: string, port: number) => host === 'db.acme.test' && port === 5432 }
  const { includes } = service.services.ownPorts
  service.services.ownPorts.includes = own.includes
  const { status, body } = await service.admin.patch(path, {
    email_smtp_host: 'db.acme.test',
    email_smtp_port: '5432',
  })
  service.services.ownPorts.includes = includes
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('db.acme.test:5432 is a port of')])
})
