import { connect, Socket } from 'node:net'
import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { Attempt } from '../../src/outbound/connections/attempt.ts'
import { dialWith } from '../../src/outbound/connections/dial.ts'
import { until } from '../support/wait.ts'
import { soon } from './support/context.ts'
import { closeServers, deadPort, tcpServer } from './support/servers.ts'

afterAll(closeServers)
const host = '127.0.0.1'

test('a connection is enough without an expected text', async () => {
  const { port } = await tcpServer(() => {})
  const outcome = await checks.tcp({ host, port }, soon())
  expect(outcome).toEqual({
    ok: true,
    latency_ms: expect.any(Number),
    evidence: `127.0.0.1:${port} accepted the connection in ${outcome.latency_ms} ms`,
  })
})

test('the text is sent, and the expected text is found, also in pieces', async () => {
  let received = ''
  const { port } = await tcpServer((socket) => {
    socket.on('data', async (chunk) => {
      received += chunk
      for (const piece of ['+P', 'ON', 'G\r\n']) {
        socket.write(piece)
        await new Promise((done) => setTimeout(done, 10))
      }
    })
  })
  expect(await checks.tcp({ host, port, send: 'PING\r\n', expect: 'PONG' }, soon())).toMatchObject({ ok: true })
  expect(received).toBe('PING\r\n')
  received = ''
  expect(await checks.tcp({ host, port, send: 'only said' }, soon())).toMatchObject({ ok: true })
  await until(
    () => received,
    (said) => said === 'only said',
  )
})

test('the evidence names a wrong answer, a missing answer and an endless answer', async () => {
  const wrong = await tcpServer((socket) => socket.end('NO'))
  const outcome = await checks.tcp({ host, port: wrong.port, expect: 'YES' }, soon())
  expect(outcome).toMatchObject({
    ok: false,
    evidence: `127.0.0.1:${wrong.port} closed the connection without sending the expected text`,
  })
  const silent = await tcpServer((socket) => socket.end())
  expect((await checks.tcp({ host, port: silent.port, expect: 'YES' }, soon())).evidence).toMatch(
    /closed .* without sending data/,
  )
  const endless = await tcpServer((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('NO'.repeat(8192))) {}
      socket.once('drain', more)
    }
    more()
  })
  expect((await checks.tcp({ host, port: endless.port, expect: 'YES' }, soon())).evidence).toMatch(
    /sent more than 256 KiB/,
  )
  const reset = await tcpServer((socket) => socket.resetAndDestroy())
  expect((await checks.tcp({ host, port: reset.port, expect: 'YES' }, soon())).evidence).toMatch(/connection reset/)
})

test('a check connects over IPv6, and only with addresses of its family', async () => {
  const { port } = await tcpServer(() => {}, '::1')
  expect(await checks.tcp({ host: '::1', port }, soon())).toMatchObject({ ok: true })
  expect(await checks.tcp({ host: '[::1]', port }, soon())).toMatchObject({ ok: true })
  expect(await checks.tcp({ host: 'localhost', port, ip_family: 'ipv6' }, soon())).toMatchObject({ ok: true })
  expect(await checks.tcp({ host: 'localhost', port, ip_family: 'ipv4' }, soon())).toMatchObject({ ok: false })
  const wrong = await checks.tcp({ host: '::1', port, ip_family: 'ipv4' }, soon())
  expect(wrong.evidence).toBe('::1 is not an address of IPv4')
})

test('an address that hangs leaves time for the next address', async () => {
  const { port } = await tcpServer(() => {})
  const attempt = new Attempt(soon({ timeout_ms: 6000, look_up: async () => ['127.0.0.2', '127.0.0.1'] }))
  const open = (to: { host: string; port: number }) => (to.host === '127.0.0.2' ? new Socket() : connect(to))
  const socket = await dialWith(open, 'many.example', port, undefined, attempt)
  expect(socket.remoteAddress).toBe('127.0.0.1')
  attempt.end()
})

test('one of several addresses that answers is enough', async () => {
  const { port } = await tcpServer(() => {})
  const many = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1']
  expect(await checks.tcp({ host: 'many.example', port }, soon({ look_up: many }))).toMatchObject({ ok: true })
  const dead = await deadPort()
  const outcome = await checks.tcp(
    { host: 'many.example', port: dead },
    soon({ look_up: async () => ['127.0.0.1', '127.0.0.2'] }),
  )
  expect(outcome.evidence).toBe(`Nothing listens at many.example:${dead} (connection refused)`)
})
