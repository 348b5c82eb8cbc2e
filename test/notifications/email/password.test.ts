import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Sender } from '../../../src/domain/notifications/channels/channel.ts'
import { openSender } from '../../../src/domain/notifications/channels/email/sender.ts'
import { settingsOf } from '../../../src/domain/settings/stored.ts'
import { inPageTransaction } from '../../../src/persistence/transactions.ts'
import { makeAuthority } from '../../checks/support/certificates.ts'
import { openTestService, type TestService } from '../../support/test-service.ts'
import { type MailServerForTests, openMailServer } from './mail-server.ts'
import { mailAbout } from './samples.ts'

let service: TestService
let authority: ReturnType<typeof makeAuthority>
let sender: Sender
/** Over TLS, and without TLS. */
let server: MailServerForTests
let plain: MailServerForTests
let accepted = 'S3CRET-one'

beforeAll(async () => {
  service = await openTestService()
  authority = makeAuthority()
  const auth = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'acme' && password === accepted
        ? done(null, { user: username })
        : done(Object.assign(new Error(`Wrong password ${password}`), { responseCode: 535 })),
  } satisfies Parameters<typeof openMailServer>[0]
  server = await openMailServer({ ...auth, ...authority.certificate('DNS:smtp.acme.test') })
  plain = await openMailServer(auth)
  sender = openSender(service.services, { ca: authority.ca, look_up: async () => ['127.0.0.1'] })
})
afterAll(async () => {
  await sender.close()
  await server.close()
  await plain.close()
  authority.remove()
  await service.close()
})

async function sendWith(fields: Record<string, unknown>) {
  const { status } = await service.admin.patch('/admin/settings', {
    ...{ email_delivery_mode: 'smtp', email_from_address: 'status@acme.test', email_smtp_host: 'smtp.acme.test' },
    ...{ email_smtp_port: String(server.port), email_smtp_username: 'acme', ...fields },
  })
  expect(status).toBe(200)
  const { id } = service.page
  const settings = await inPageTransaction(service.services.app, id, settingsOf)
  return sender.send({ ...mailAbout('incident.created'), page_id: id, settings })
}

test('the stored password opens the server', async () => {
  expect(await sendWith({ email_smtp_password: 'S3CRET-one' })).toMatchObject({ result: 'sent' })
  expect(server.mails.at(-1)).toMatchObject({ user: 'acme', secure: true })
})

test('a wrong password gets another attempt, and the answer does not contain the password', async () => {
  const outcome = await sendWith({ email_smtp_password: 'S3CRET-two' })
  expect(outcome).toMatchObject({ result: 'later', smtp_code: 535 })
  expect(outcome.answer).toBe(
    `smtp.acme.test:${server.port} refused the user name and password: 535 Wrong password ***`,
  )
})

test('a changed password is used by the next mail', async () => {
  accepted = 'S3CRET-three'
  expect(await sendWith({ email_smtp_password: 'S3CRET-three' })).toMatchObject({ result: 'sent' })
})

test('credentials are not sent without TLS, but to a server on this machine', async () => {
  expect(await sendWith({ email_smtp_port: String(plain.port) })).toMatchObject({ result: 'later' })
  expect(plain.mails).toEqual([])
  expect(await sendWith({ email_smtp_port: String(plain.port), email_smtp_host: '127.0.0.1' })).toMatchObject({
    result: 'sent',
  })
})
