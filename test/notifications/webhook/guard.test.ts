import type { IncomingMessage, RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Sender, SenderServices } from '../../../src/domain/notifications/channels/channel.ts'
import { openSender, type SenderOptions } from '../../../src/domain/notifications/channels/webhook/sender.ts'
import { makeAuthority } from '../../checks/support/certificates.ts'
import { closeServers, httpServer, httpsServer } from '../../checks/support/servers.ts'
import { message, services } from './messages.ts'

const open: Sender[] = []
const sender = (options: SenderOptions = {}, fields: Partial<SenderServices> = {}) => {
  const opened = openSender(services(fields), options)
  open.push(opened)
  return opened
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
afterAll(closeServers)

const read = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString()
const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  httpServer((request, answer) => void read(request).then(() => answer.writeHead(status, headers).end(body)))

describe('TLS', () => {
  let authority: ReturnType<typeof makeAuthority>
  beforeAll(() => {
    authority = makeAuthority()
  })
  afterAll(() => authority.remove())
  const listener: RequestListener = (request, answer) => void read(request).then(() => answer.end('ok'))

  test('connections are verified and kept', async () => {
    const { cert, key } = authority.certificate('DNS:hooks.example')
    const target = await httpsServer({ cert, key }, listener)
    const one = sender({ trust: { ca: authority.ca }, look_up: async () => ['127.0.0.1'] })
    const url = `https://hooks.example:${target.port}/`
    for (const id of ['a', 'b']) expect(await one.send(message(url, {}, id))).toMatchObject({ result: 'sent' })
    expect(target.made).toBe(1)
  })

  test.each([
    ['self-signed', () => authority.selfSigned('DNS:hooks.example'), 'The certificate is self-signed'],
    [
      'for another host',
      () => authority.certificate('DNS:other.example'),
      'The certificate is for other.example, not for hooks.example',
    ],
  ])('a certificate that is %s is a failure, and nothing is sent', async (_what, make, answer) => {
    const { cert, key } = make()
    let asked = 0
    const { port } = await httpsServer({ cert, key }, (_, response) => {
      asked += 1
      response.end()
    })
    const one = sender({ trust: { ca: authority.ca }, look_up: async () => ['127.0.0.1'] })
    expect(await one.send(message(`https://hooks.example:${port}/`))).toEqual({ result: 'later', answer })
    expect(asked).toBe(0)
  })
})

describe('the guard', () => {
  test('refuses the URL of an own port', async () => {
    const target = await answering(200)
    const one = sender({}, { ownPorts: { includes: (_host, port) => port === target.port } })
    expect(await one.send(message(target.url))).toEqual({
      result: 'refused',
      answer: `The URL may not be reached: 127.0.0.1:${target.port} is a port of this service's own servers; nothing may connect to it`,
    })
    expect(target.made).toBe(0)
  })

  test('refuses a private address under BEAT_TARGETS=public', async () => {
    const target = await answering(200)
    expect(await sender({}, { beatTargets: 'public' }).send(message(target.url))).toEqual({
      result: 'refused',
      answer: 'The URL may not be reached: 127.0.0.1 is a loopback address; only public addresses may be reached here',
    })
    expect(target.made).toBe(0)
  })

  test.each<[string, Partial<SenderServices>, string]>([
    [
      'a private address',
      { beatTargets: 'public' },
      'hooks.example resolves to a loopback address; only public addresses may be reached here',
    ],
    [
      'an own port',
      { ownPorts: { includes: (host) => host === '127.0.0.1' } },
      "is a port of this service's own servers; nothing may connect to it",
    ],
  ])(
    'tries a name that resolves to %s later, because the address of a name can change',
    async (_what, fields, text) => {
      const target = await answering(200)
      const one = sender({ look_up: async () => ['127.0.0.1'] }, fields)
      const { result, answer } = await one.send(message(`http://hooks.example:${target.port}/`))
      expect([result, answer]).toEqual(['later', expect.stringContaining(text)])
      expect(target.made).toBe(0)
    },
  )

  test('verifies the address of each new connection', async () => {
    const target = await answering(200, { Connection: 'close' })
    const answers = [['127.0.0.1'], ['10.0.0.1'], []]
    const one = sender({ look_up: async () => answers.shift() ?? [], timeout_ms: 300 })
    const url = `http://hooks.example:${target.port}/`
    expect(await one.send(message(url))).toMatchObject({ result: 'sent' })
    expect(await one.send(message(url))).toMatchObject({ result: 'later' })
    expect(await one.send(message(url))).toMatchObject({
      result: 'later',
      answer: 'The name hooks.example has no record of this type',
    })
    expect(target.made).toBe(1)
  })
})
