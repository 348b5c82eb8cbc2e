import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { until } from '../support/wait.ts'
import { soon } from './support/context.ts'
import { closeServers, deadPort, httpServer, tcpServer } from './support/servers.ts'

afterAll(closeServers)

test('an expected status succeeds, and the evidence has the latency', async () => {
  const { url, port } = await httpServer((_, answer) => setTimeout(() => answer.end('ok'), 50))
  const outcome = await checks.http({ url }, soon())
  expect(outcome).toMatchObject({ ok: true, status_code: 200 })
  expect(outcome.latency_ms).toBeGreaterThanOrEqual(49)
  expect(outcome.evidence).toBe(`HTTP 200 OK from 127.0.0.1:${port} after ${outcome.latency_ms} ms`)
})

test.each([
  [503, undefined, false],
  [204, undefined, true],
  [503, [200, 503], true],
  [404, '4xx', true],
  [404, ['2XX', '3xx'], false],
  [418, '418', true],
  [201, 200, false],
])('status %i with expected_status %j succeeds: %s', async (status, expected_status, ok) => {
  const { url, port } = await httpServer((_, answer) => answer.writeHead(status).end())
  const outcome = await checks.http({ url, expected_status }, soon())
  expect(outcome).toMatchObject({ ok, status_code: status })
  if (status === 503 && !ok) {
    const after = `after ${outcome.latency_ms} ms`
    expect(outcome.evidence).toBe(`HTTP 503 Service Unavailable from 127.0.0.1:${port} ${after}, expected 2xx`)
  }
})

test('the request has the method, headers and body of the beat', async () => {
  const seen: unknown[] = []
  const { url, port } = await httpServer((request, answer) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => answer.end(void seen.push([request.method, request.url, request.headers, body])))
  })
  const headers = { 'X-One': '1', 'user-agent': 'mine' }
  await checks.http({ url: `${url}/path?q=%20#part`, method: 'PUT', headers, body: 'grüße' }, soon())
  const sent = { 'x-one': '1', 'user-agent': 'mine', host: `127.0.0.1:${port}`, 'content-length': '7' }
  expect(seen).toEqual([['PUT', '/path?q=%20', expect.objectContaining(sent), 'grüße']])
})

test('an api check sends Accept for JSON, unless the beat has its own Accept', async () => {
  const seen: unknown[] = []
  const { url } = await httpServer((request, answer) => answer.end(void seen.push(request.headers.accept)))
  await checks.api({ url }, soon())
  await checks.api({ url, headers: { accept: 'text/plain' } }, soon())
  await checks.latency({ url }, soon())
  expect(seen).toEqual(['application/json, */*;q=0.5', 'text/plain', '*/*'])
})

test('each check opens a new connection and closes the connection', async () => {
  const target = await httpServer((_, answer) => answer.end('ok'))
  for (let i = 0; i < 3; i++) await checks.http({ url: target.url }, soon())
  expect(target.made).toBe(3)
  await until(
    () => target.open.size,
    (open) => open === 0,
  )
})

test('assertions use the first 256 KiB of a body', async () => {
  let sent = 0
  const { url } = await httpServer((_, answer) => {
    const more = () => {
      while (!answer.destroyed && answer.write('x'.repeat(16_384))) sent += 16_384
      answer.once('drain', more)
    }
    more()
  })
  const contains = { source: 'body' as const, operator: 'contains' as const, value: 'xxx' }
  expect(await checks.http({ url, assertions: [contains] }, soon())).toMatchObject({ ok: true })
  const json = { source: 'json' as const, path: '$.a', operator: 'exists' as const }
  expect((await checks.http({ url, assertions: [json] }, soon())).evidence).toMatch(/longer than 256 KiB/)
  expect(sent).toBeLessThan(50_000_000)
})

const connected = /127\.0\.0\.1:\d+/
test.each([
  ['closes', (socket) => socket.end(), 'closed the connection without an answer'],
  ['resets', (socket) => socket.resetAndDestroy(), 'closed the connection (connection reset)'],
  ['answers in another protocol', (socket) => socket.end('SSH-2.0-OpenSSH\r\n'), /did not answer in HTTP/],
  [
    'closes in the middle of its answer',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
    /before the end of its answer/,
  ],
  ['has endless headers', (socket) => headersWithoutEnd(socket), 'sent headers of more than 64 KiB'],
] as [string, (socket: import('node:net').Socket) => void, string | RegExp][])(
  'the evidence explains a server that %s',
  async (_, behave, evidence) => {
    const { port } = await tcpServer((socket) => socket.once('data', () => behave(socket)))
    const outcome = await checks.http({ url: `http://127.0.0.1:${port}` }, soon())
    expect(outcome).toMatchObject({ ok: false, latency_ms: null })
    expect(outcome.evidence).toMatch(connected)
    expect(outcome.evidence).toEqual(
      typeof evidence === 'string' ? expect.stringContaining(evidence) : expect.stringMatching(evidence),
    )
  },
)

test('the evidence names a port at which nothing listens', async () => {
  const port = await deadPort()
  const { evidence } = await checks.http({ url: `http://127.0.0.1:${port}` }, soon())
  expect(evidence).toBe(`Nothing listens at 127.0.0.1:${port} (connection refused)`)
})

test.each(['http', 'https'])('a redirect to port 0 fails and %s is not tried at its default port', async (scheme) => {
  const url = `${scheme}://localhost:0/`
  const evidence = 'localhost:0 cannot be reached: nothing can listen at port 0'
  expect(await checks.http({ url }, soon())).toEqual({ ok: false, latency_ms: null, evidence })
})

function headersWithoutEnd(socket: import('node:net').Socket) {
  socket.write('HTTP/1.1 200 OK\r\n')
  const more = () => {
    while (!socket.destroyed && socket.write(`X-Header: ${'y'.repeat(1000)}\r\n`)) {}
    socket.once('drain', more)
  }
  more()
}
