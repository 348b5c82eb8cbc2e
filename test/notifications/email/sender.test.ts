import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Sender, SenderServices } from '../../../src/domain/notifications/channels/channel.ts'
import { email } from '../../../src/domain/notifications/channels/email/index.ts'
import { openSender } from '../../../src/domain/notifications/channels/email/sender.ts'
import type { SenderOptions } from '../../../src/domain/notifications/channels/email/transports.ts'
import { createLogger } from '../../../src/runtime/logger.ts'
import { makeAuthority } from '../../checks/support/certificates.ts'
import { until } from '../../support/wait.ts'
import { type MailServerForTests, openMailServer, openSilentServer, reply } from './mail-server.ts'
import { mailAbout, messageOf, notificationOf } from './samples.ts'

let authority: ReturnType<typeof makeAuthority>
beforeAll(() => {
  authority = makeAuthority()
})
afterAll(() => authority.remove())

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})
const using = async <T extends { close(): Promise<void> }>(made: T | Promise<T>): Promise<T> => {
  const thing = await made
  opened.push(thing)
  return thing
}

/** No password is read without a user name. */
const services = (guard: 'any' | 'public' = 'any', own: number[] = []) =>
  ({
    beatTargets: guard,
    ownPorts: { includes: (_host: string, port: number) => own.includes(port) },
    logger: createLogger('silent', 'test'),
  }) as unknown as SenderServices

/** A server under a name that is not this machine's. */
const named = async () => ['127.0.0.1']
const senderWith = (options: SenderOptions = {}, of = services()): Promise<Sender> =>
  using(openSender(of, { look_up: named, ...options }))

const smtp = (port: number, host = 'smtp.acme.test') => ({
  ...{ email_delivery_mode: 'smtp', email_smtp_host: host, email_smtp_port: String(port), email_from_name: 'Acme' },
})
const about = (port: number, key = 'incident.updated') => mailAbout(key, {}, smtp(port))

test('a mail arrives with both texts and all headers', async () => {
  const server = await using(openMailServer())
  const sender = await senderWith()
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent', smtp_code: 250 })
  const [mail] = server.mails
  expect(mail?.to).toEqual(['Ann@example.com'])
  expect(mail?.parsed).toMatchObject({
    subject: 'Incident updated: Search answers slowly',
    messageId: '<delivery-90@status.acme.test>',
    inReplyTo: '<page-3-incident-12@status.acme.test>',
    from: { value: [{ name: 'Acme', address: 'status@acme.test' }] },
  })
  expect(mail?.parsed.text).toContain('A replica is down.\nWe are adding another one.')
  expect(mail?.parsed.html).toContain('A replica is down.<br>\nWe are adding another one.')
  expect(mail?.raw).toMatch(/^List-Unsubscribe: *\r?\n? <https:.*token=u>\r$/m)
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

test('hostile words change no header of the sent mail, and a mail has less than 100 kB', async () => {
  const server = await using(openMailServer())
  const sender = await senderWith()
  for (const long of ['', 'x'.repeat(100_000), '表'.repeat(100_000), 'é=&"'.repeat(30_000)]) {
    const title = `Down\r\nBcc: eve@example.com\u202e\r\n\r\nbody${long}`
    const record = { id: 1, title, description: `${title}\r\n.\r\nQUIT`, status: title }
    const sent = messageOf(
      [notificationOf('incident.created', { record })],
      {},
      {
        ...smtp(server.port),
        email_from_name: title,
        site_title: title,
      },
    )
    expect(await sender.send(sent)).toMatchObject({ result: 'sent' })
  }
  for (const { raw, parsed, to } of server.mails) {
    expect(to).toEqual(['Ann@example.com'])
    expect(parsed.bcc).toBeUndefined()
    expect([...parsed.headers.keys()].sort()).toEqual([...server.mails[0]!.parsed.headers.keys()].sort())
    expect(Buffer.byteLength(raw)).toBeLessThan(100_000)
  }
  expect(server.mails).toHaveLength(4)
})

test('encoded words of users in headers are texts', async () => {
  const server = await using(openMailServer())
  const sender = await senderWith()
  const title = 'DB =?utf-8?q?=E2=80=AEtxt?= =?utf-8?B?DQpCY2M6IGV2aWxAZXhhbXBsZS5jb20=?='
  const settings = { ...smtp(server.port), email_from_name: title }
  await sender.send(messageOf([notificationOf('incident.created', { record: { id: 1, title } })], {}, settings))
  const read = title.replaceAll('=?', '= ?')
  const [mail] = server.mails
  expect(mail?.parsed.subject).toBe(`New incident: ${read}`)
  expect(mail?.parsed.from?.value[0]?.name).toBe(read)
  expect(mail?.raw).not.toContain('=?')
})

test('several mails use one connection, which is closed when it is idle', async () => {
  const server = await using(openMailServer())
  const sender = await senderWith({ idle_ms: 50 })
  for (let count = 0; count < 3; count += 1) await sender.send(about(server.port))
  expect([server.mails.length, server.connections]).toEqual([3, 1])
  await until(
    () => server.open,
    (count) => count === 0,
  )
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent' })
})

test('changed settings open another connection', async () => {
  const [first, second] = [await using(openMailServer()), await using(openMailServer())]
  const sender = await senderWith()
  await sender.send(about(first.port))
  await sender.send(about(second.port))
  expect([first.mails.length, second.mails.length]).toEqual([1, 1])
})

test('a mail goes over STARTTLS if the server offers it', async () => {
  const server = await using(openMailServer(authority.certificate('DNS:smtp.acme.test')))
  const sender = await senderWith({ ca: authority.ca })
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent' })
  expect(server.mails[0]?.secure).toBe(true)
})

test('on port 465 the connection begins with TLS', async () => {
  const made = authority.certificate('DNS:smtp.acme.test')
  const server = await using(openMailServer({ ...made, secure: true }))
  const sender = await senderWith({ ca: authority.ca, tls_port: server.port })
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent' })
  expect(server.mails[0]?.secure).toBe(true)
  const other = await senderWith({ tls_port: server.port })
  expect(await other.send(about(server.port))).toMatchObject({
    ...{ result: 'later', answer: expect.stringContaining('The certificate is issued by an authority') },
  })
})

test.each([
  ['is self-signed', () => authority.selfSigned('DNS:smtp.acme.test')],
  ['is for another name', () => authority.certificate('DNS:other.test')],
])('with STARTTLS, a certificate that %s is refused, and another attempt follows', async (_problem, made) => {
  const server = await using(openMailServer(made()))
  const sender = await senderWith({ ca: authority.ca })
  const outcome = await sender.send(about(server.port))
  expect(outcome).toMatchObject({ result: 'later', answer: expect.stringContaining(`smtp.acme.test:${server.port}`) })
  expect(server.mails).toEqual([])
})

test('the certificate of a server on this machine is not verified', async () => {
  const server = await using(openMailServer(authority.selfSigned('DNS:localhost')))
  const sender = await senderWith()
  expect(await sender.send(mailAbout('incident.created', {}, smtp(server.port, 'localhost')))).toMatchObject({
    result: 'sent',
  })
  expect(server.mails[0]?.secure).toBe(true)
})

test.each([
  ['451 4.7.1 Greylisted, try again in 5 minutes', 'later', undefined],
  ['421 4.3.2 Closing', 'later', undefined],
  ['452 4.2.2 Mailbox full', 'later', undefined],
  ['550 5.1.1 No such user', 'refused', 'bounced'],
  ['550 No such user', 'refused', 'bounced'],
  ['501 Bad recipient address syntax', 'refused', 'bounced'],
  ['553 5.1.3 Bad address', 'refused', 'bounced'],
  ['550 5.7.1 Blocked by policy', 'refused', undefined],
  ['552 5.2.2 Mailbox full', 'refused', undefined],
])('a refusal of the recipient with %s is %s', async (line, result, subscriber) => {
  const server = await using(openMailServer({ onRcptTo: (_address, _session, done) => done(reply(line)) }))
  const sender = await senderWith()
  const outcome = await sender.send(about(server.port))
  expect(outcome).toEqual({
    ...{ result, smtp_code: Number(line.slice(0, 3)), answer: line },
    ...(subscriber ? { subscriber } : {}),
  })
})

test('a refusal of the content is final and says nothing about the subscriber', async () => {
  const server = await using(
    openMailServer({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(reply('554 5.7.1 Spam')))
      },
    }),
  )
  const sender = await senderWith()
  expect(await sender.send(about(server.port))).toEqual({ result: 'refused', smtp_code: 554, answer: '554 5.7.1 Spam' })
})

test('a refusal of the sender is final, and a refusal of the connection is not', async () => {
  const strict = await using(openMailServer({ onMailFrom: (_from, _session, done) => done(reply('550 5.7.1 No')) }))
  const closed = await using(openMailServer({ onConnect: (_session, done) => done(reply('554 5.3.2 Not here')) }))
  const sender = await senderWith()
  expect(await sender.send(about(strict.port))).toEqual({ result: 'refused', smtp_code: 550, answer: '550 5.7.1 No' })
  expect(await sender.send(about(closed.port))).toMatchObject({ result: 'later', smtp_code: 554 })
})

test('after a greylisting the same mail arrives with the same id', async () => {
  const seen: string[] = []
  const server = await using(
    openMailServer({
      onRcptTo({ address }, _session, done) {
        seen.push(address)
        done(seen.length === 1 ? reply('451 4.7.1 Greylisted') : null)
      },
    }),
  )
  const sender = await senderWith()
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'later' })
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent' })
  expect(server.mails[0]?.parsed.messageId).toBe('<delivery-90@status.acme.test>')
})

test.each([
  ['before the greeting', []],
  ['after EHLO', ['220 here']],
  ['after MAIL FROM', ['220 here', '250 here']],
  ['after RCPT TO', ['220 here', '250 here', '250 fine']],
  ['after DATA', ['220 here', '250 here', '250 fine', '250 fine']],
  ['after the content', ['220 here', '250 here', '250 fine', '250 fine', '354 go on']],
])('a server that is silent %s gets another attempt', async (_phase, lines) => {
  const server = await using(openSilentServer(lines))
  const sender = await senderWith({ timeout_ms: 300 })
  expect(await sender.send(about(server.port))).toEqual({
    result: 'later',
    answer: `smtp.acme.test:${server.port} took longer than 0.3 s`,
  })
})

test('a server that sends without an end gets another attempt', async () => {
  const server = await using(openSilentServer(Array(1000).fill('220-more')))
  const sender = await senderWith({ timeout_ms: 300 })
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'later' })
})

test('a server that is gone gets another attempt, and mails to other servers arrive', async () => {
  const gone = await openMailServer()
  await gone.close()
  const server = await using(openMailServer())
  const sender = await senderWith()
  expect(await sender.send(about(gone.port))).toEqual({
    result: 'later',
    answer: `smtp.acme.test:${gone.port}: Nothing listens at smtp.acme.test:${gone.port} (connection refused)`,
  })
  expect(await sender.send(about(server.port))).toMatchObject({ result: 'sent' })
})

test('a server that was restarted between two mails gets the second one', async () => {
  const before: MailServerForTests = await openMailServer()
  const sender = await senderWith()
  expect(await sender.send(about(before.port))).toMatchObject({ result: 'sent' })
  await before.close()
  const after = await using(openMailServer({}, before.port))
  expect(await sender.send(about(before.port))).toMatchObject({ result: 'sent' })
  expect(after.mails).toHaveLength(1)
})

test('no connection is made to a port of the service, nor to an address that is not public', async () => {
  const server = await using(openMailServer())
  const own = await senderWith({}, services('any', [server.port]))
  expect(await own.send(about(server.port))).toMatchObject({
    result: 'later',
    answer: expect.stringContaining("is a port of this service's own servers"),
  })
  const guarded = await senderWith({}, services('public'))
  expect(await guarded.send(about(server.port))).toMatchObject({
    result: 'later',
    answer: expect.stringContaining('only public addresses may be reached here'),
  })
  expect(server.connections).toBe(0)
})

test('nothing is sent while the mode is log, or without a server or a sender', async () => {
  const sender = await senderWith()
  expect(await sender.send(mailAbout('incident.created'))).toEqual({
    ...{ result: 'withheld', reason: 'email_delivery_mode_log', answer: '' },
  })
  for (const missing of ['email_smtp_host', 'email_from_address']) {
    const settings = { ...smtp(25), [missing]: '' }
    expect(await sender.send(mailAbout('incident.created', {}, settings))).toMatchObject({
      ...{ result: 'withheld', reason: 'email_not_configured' },
    })
  }
})

test.each(['ann', 'ann@example.com\r\nRCPT TO:<eve@example.com>', '"a b"@example.com', '<ann@example.com>'])(
  'the address %j is refused without a connection',
  async (shown_address) => {
    const server = await using(openMailServer())
    const sender = await senderWith()
    const message = mailAbout('incident.created', { shown_address }, smtp(server.port))
    expect(await sender.send(message)).toMatchObject({ result: 'refused' })
    expect(server.connections).toBe(0)
  },
)

test('the attempts go on for 72 hours', () => {
  const hours = email.delays.map((delay) => delay / 3_600_000)
  expect(email.delays.slice(0, 5).map((delay) => delay / 60_000)).toEqual([1, 5, 15, 60, 240])
  expect(new Set(hours.slice(5))).toEqual(new Set([8]))
  const all = hours.reduce((sum, one) => sum + one, 0)
  expect(all).toBeGreaterThan(64)
  expect(all).toBeLessThanOrEqual(72)
})
