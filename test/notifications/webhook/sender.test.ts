import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import type { Sender, SenderServices } from '../../../src/domain/notifications/channels/channel.ts'
import { webhook } from '../../../src/domain/notifications/channels/webhook/index.ts'
import { openSender, type SenderOptions } from '../../../src/domain/notifications/channels/webhook/sender.ts'
import { closeServers, deadPort, httpServer, tcpServer } from '../../checks/support/servers.ts'
import { until } from '../../support/wait.ts'
import { message, secret, services } from './messages.ts'

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

test('a webhook is posted as Standard Webhooks say', async () => {
  const got: { request: IncomingMessage; body: string }[] = []
  const { url } = await httpServer(async (request, answer) => {
    got.push({ request, body: await read(request) })
    answer.writeHead(204).end()
  })
  const sent = message(`${url}/hooks?team=ops`)
  const one = sender()
  expect(await one.send(sent)).toEqual({ result: 'sent', status_code: 204, answer: 'HTTP 204 No Content' })
  expect(await one.send(sent)).toMatchObject({ result: 'sent' })
  const [{ request, body }, again] = got as [(typeof got)[0], (typeof got)[0]]
  expect([request.method, request.url, request.httpVersion]).toEqual(['POST', '/hooks?team=ops', '1.1'])
  expect(request.headers).toMatchObject({
    ...{ 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Upbeat', 'webhook-id': 'msg_5' },
    'content-length': String(Buffer.byteLength(body)),
  })
  expect(new Webhook(secret).verify(body, request.headers as Record<string, string>)).toEqual(webhook.render(sent).body)
  expect(again.body).toBe(body)
  expect(again.request.headers['webhook-id']).toBe('msg_5')
})

test('each attempt has its own timestamp, and during a rotation both signatures', async () => {
  const got: Record<string, string>[] = []
  const { url } = await httpServer((request, answer) => {
    got.push(request.headers as Record<string, string>)
    answer.end()
  })
  const previous = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  let now = Date.now()
  const one = sender({}, { clock: () => new Date(now) })
  const sent = message(url, { secrets: [secret, previous] })
  await one.send(sent)
  now += 5000
  await one.send(sent)
  expect(Number(got[1]?.['webhook-timestamp']) - Number(got[0]?.['webhook-timestamp'])).toBe(5)
  const body = JSON.stringify(webhook.render(sent).body)
  for (const known of [secret, previous]) expect(new Webhook(known).verify(body, got[1]!)).toBeTruthy()
})

describe('connections', () => {
  test('are kept', async () => {
    const target = await answering(200, {}, 'ok')
    const one = sender()
    for (const id of ['a', 'b', 'c']) await one.send(message(target.url, {}, id))
    expect(target.made).toBe(1)
    await one.close()
    await until(
      () => target.open.size,
      (count) => count === 0,
    )
  })

  test('are closed after a while without messages', async () => {
    const target = await answering(200)
    const one = sender({ idle_ms: 50 })
    await one.send(message(target.url))
    await until(
      () => target.open.size,
      (count) => count === 0,
    )
    expect(await one.send(message(target.url))).toMatchObject({ result: 'sent' })
    expect(target.made).toBe(2)
  })

  test('are bounded for each receiver once nothing is sent', async () => {
    const target = await answering(200)
    const one = sender()
    await Promise.all(Array.from({ length: 30 }, (_, id) => one.send(message(target.url, {}, `m${id}`))))
    await until(
      () => target.open.size,
      (count) => count === 22,
    )
  })

  test('that the receiver closed meanwhile are replaced', async () => {
    let answered = 0
    const ids: string[] = []
    const target = await httpServer((request, answer) => {
      ids.push(String(request.headers['webhook-id']))
      answered += 1
      if (answered === 2) request.socket.resetAndDestroy()
      else answer.end()
    })
    const one = sender()
    for (const id of ['a', 'b']) expect(await one.send(message(target.url, {}, id))).toMatchObject({ result: 'sent' })
    expect([ids, target.made]).toEqual([['a', 'b', 'b'], 2])
  })

  test('that the receiver closes again and again are replaced once', async () => {
    let asked = 0
    const { url } = await httpServer((request, answer) => {
      asked += 1
      if (asked === 1) answer.end()
      else request.socket.destroy()
    })
    const one = sender()
    await one.send(message(url))
    const place = new URL(url).host
    expect(await one.send(message(url))).toEqual({
      result: 'later',
      answer: `${place} closed the connection without an answer`,
    })
    expect(asked).toBe(3)
  })
})

describe('a receiver that', () => {
  const soon = { timeout_ms: 300 }
  const late = (place: string, what: string) => ({
    result: 'later',
    answer: `${place} took longer than 0.3 s (${what})`,
  })

  test('hangs is tried later', async () => {
    const target = await httpServer(() => {})
    expect(await sender(soon).send(message(target.url))).toEqual(
      late(`127.0.0.1:${target.port}`, 'waiting for the answer'),
    )
    await until(
      () => target.open.size,
      (count) => count === 0,
    )
  })

  test('sends its headers slowly is tried later', async () => {
    const { url, port } = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('X-Slow: yes\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await sender(soon).send(message(url.replace('tcp', 'http')))).toEqual(
      late(`127.0.0.1:${port}`, 'waiting for the answer'),
    )
  })

  test.each([
    [200, 'sent'],
    [500, 'later'],
  ])('answers %d with an endless body has answered, and the connection is closed', async (status, result) => {
    const target = await httpServer((request, answer) => {
      request.resume()
      answer.writeHead(status)
      const timer = setInterval(() => answer.write('x'.repeat(1000)), 1)
      answer.once('close', () => clearInterval(timer))
    })
    const outcome = await sender().send(message(target.url))
    expect(outcome).toMatchObject({ result, status_code: status })
    expect(outcome.answer.length).toBe(300)
    await until(
      () => target.open.size,
      (count) => count === 0,
    )
  })

  test('answers with a body that never ends and hardly begins has answered', async () => {
    const { url } = await httpServer((request, answer) => {
      request.resume()
      answer.writeHead(200).write('o')
    })
    expect(await sender({ timeout_ms: 600 }).send(message(url))).toMatchObject({
      result: 'sent',
      answer: 'HTTP 200 OK: o',
    })
  })

  test('closes the connection in the body has answered', async () => {
    const { url } = await httpServer((request, answer) => {
      request.resume()
      answer.writeHead(500, { 'Content-Length': 10 }).write('oops')
      setTimeout(() => answer.destroy(), 20)
    })
    expect(await sender().send(message(url))).toMatchObject({ result: 'later', status_code: 500 })
  })

  test('redirects is not followed', async () => {
    const other = await answering(200)
    const { url } = await answering(307, { Location: other.url })
    expect(await sender().send(message(url))).toEqual({
      result: 'later',
      status_code: 307,
      answer: 'HTTP 307 Temporary Redirect',
    })
    expect(other.made).toBe(0)
  })

  test('is gone is not asked again', async () => {
    const { url } = await answering(410)
    expect(await sender().send(message(url))).toEqual({
      ...{ result: 'refused', subscriber: 'disabled', status_code: 410, answer: 'HTTP 410 Gone' },
    })
  })

  test('asks for a pause gets the pause', async () => {
    const { url } = await answering(503, { 'Retry-After': '120' }, 'busy')
    expect(await sender().send(message(url))).toEqual({
      ...{ result: 'later', after_ms: 120_000, status_code: 503, answer: 'HTTP 503 Service Unavailable: busy' },
    })
  })

  test('answers with another protocol is tried later', async () => {
    const { url } = await tcpServer((socket) => socket.end('220 mail.example.com\r\n'))
    const { result, answer } = await sender().send(message(url.replace('tcp', 'http')))
    expect([result, answer]).toEqual(['later', expect.stringContaining('did not answer in HTTP')])
  })

  test('switches the protocol is tried later', async () => {
    const { url } = await tcpServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    expect(await sender().send(message(url.replace('tcp', 'http')))).toMatchObject({
      result: 'later',
      status_code: 101,
    })
  })

  test('repeats its secrets does not bring them into the answer', async () => {
    const { url } = await httpServer((_, answer) => answer.writeHead(500).end(`signed with ${secret} key verysecret`))
    const { answer } = await sender().send(message(`${url}?key=verysecret`))
    expect(answer).toBe('HTTP 500 Internal Server Error: signed with ••• key [recipient]')
  })

  test('is not there is tried later', async () => {
    const port = await deadPort()
    expect(await sender().send(message(`http://127.0.0.1:${port}`))).toEqual({
      result: 'later',
      answer: `Nothing listens at 127.0.0.1:${port} (connection refused)`,
    })
  })
})

test('a webhook without a secret is not sent', async () => {
  const target = await answering(200)
  expect(await sender().send(message(target.url, { secrets: [] }))).toEqual({
    ...{ result: 'withheld', reason: 'no_secret', answer: '' },
  })
  expect(target.made).toBe(0)
})

test('a sender that is closed ends its attempts', async () => {
  const target = await httpServer(() => {})
  const one = sender()
  const outcome = one.send(message(target.url))
  await until(
    () => target.made,
    (count) => count === 1,
  )
  await one.close()
  expect(await outcome).toEqual({ result: 'later', answer: 'The service ended before the receiver answered' })
})

test('attempts follow after the delays of Standard Webhooks', () => {
  const hour = 3_600_000
  expect(webhook.delays).toEqual([
    ...[5000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
  ])
})
