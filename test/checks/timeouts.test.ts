import type { Socket } from 'node:net'
import { afterAll, expect, test } from '@jest/globals'
import { check } from '../../activities/checks/check.ts'
import type { CheckOutcome } from '../../activities/checks/contract.ts'
import { checks } from '../../activities/checks/index.ts'
import { until } from '../support/wait.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer, tcpServer } from './support/servers.ts'

afterAll(closeServers)

const TIMEOUT_MS = 1500
const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'

/** The server reads, so that it notices the end of the connection. */
const silent = (socket: Socket) => void socket.resume()

function dripping(socket: Socket, start: string): void {
  socket.resume().write(start)
  const timer = setInterval(() => socket.write('x'), 20)
  socket.once('close', () => clearInterval(timer))
}

const hosts: [string, (socket: Socket) => void, 'http' | 'https' | 'tcp' | 'tls', string][] = [
  ['accepts and says nothing', silent, 'http', 'waiting for the answer'],
  ['drips headers', (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\nX-Long: '), 'http', 'waiting for the answer'],
  ['drips a body', (socket) => dripping(socket, head), 'http', 'reading the answer'],
  ['hangs in the handshake', silent, 'https', 'in the TLS handshake'],
  ['hangs in the handshake', silent, 'tls', 'in the TLS handshake'],
  ['says nothing', silent, 'tcp', 'waiting for the expected answer'],
  ['drips', (socket) => dripping(socket, ''), 'tcp', 'waiting for the expected answer'],
]

test.each(hosts)(
  'a check of a host that %s ends at the timeout, and its socket is closed (%#)',
  async (...[, behave, kind, doing]) => {
    const target = await tcpServer(behave)
    const { port } = target
    const ctx = soon({ timeout_ms: TIMEOUT_MS })
    const begun = performance.now()
    const outcome = await ask(kind, port, ctx)
    const took = performance.now() - begun
    expect(outcome).toEqual({
      ok: false,
      latency_ms: null,
      evidence: `127.0.0.1:${port} took longer than 1.5 s (${doing})`,
    })
    expect(took).toBeGreaterThanOrEqual(TIMEOUT_MS - 1)
    await until(
      () => target.open.size,
      (open) => open === 0,
    )
  },
)

function ask(kind: string, port: number, ctx: ReturnType<typeof soon>): Promise<CheckOutcome> {
  if (kind === 'tcp') return checks.tcp({ host: '127.0.0.1', port, expect: 'never' }, ctx)
  if (kind === 'tls') return checks.tls({ host: '127.0.0.1', port }, ctx)
  return checks.http({ url: `${kind}://127.0.0.1:${port}` }, ctx)
}

test('a look-up without an end does not delay the end of the check', async () => {
  const look_up = () => new Promise<never>(() => {})
  const { evidence } = await checks.tcp({ host: 'a.example', port: 1 }, soon({ look_up, timeout_ms: 100 }))
  expect(evidence).toBe('a.example took longer than 0.1 s (looking up its name)')
})

test('a cancelled check rejects with the reason at once', async () => {
  const target = await tcpServer(silent)
  const cancel = new AbortController()
  const url = `http://127.0.0.1:${target.port}`
  // Neither check would end before: their timeout is longer than the timeout of the test.
  const check = () => checks.http({ url }, soon({ signal: cancel.signal, timeout_ms: 3_600_000 }))
  const running = check()
  running.catch(() => {})
  await until(
    () => target.open.size,
    (open) => open === 1,
  )
  cancel.abort(new Error('the lease ends'))
  await expect(running).rejects.toThrow('the lease ends')
  await expect(check()).rejects.toThrow('the lease ends')
  await until(
    () => target.open.size,
    (open) => open === 0,
  )
  expect(target.made).toBe(1)
})

test('a shortage on the machine and a bug of the service reject the check', async () => {
  const failing = (problem: unknown) => check(() => Promise.reject(problem))({}, soon())
  const short = Object.assign(new Error('too many'), { code: 'EMFILE', syscall: 'connect' })
  await expect(failing(short)).rejects.toThrow('its machine lacks ports, files, memory or an address (EMFILE)')
  await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug')
})

test('evidence contains no secrets and is a short text on one line', async () => {
  const repeating = check(async () => ({
    ok: false,
    latency_ms: 1,
    evidence: `a\r\n\x1b[31m s3cret-token ${'x'.repeat(999)}`,
  }))
  const { evidence } = await repeating({ headers: { 'X-Api-Key': 's3cret-token' } }, soon())
  expect(evidence).toMatch(/^a \[31m ••• x+…$/)
  expect(evidence).toHaveLength(300)
})

test('two hundred checks with every kind of end leave no sockets and timers', async () => {
  const quiet = await tcpServer(silent)
  const well = await httpServer((_, answer) => answer.end('ok'))
  const endless = await httpServer((_, answer) => {
    answer.write('x'.repeat(600_000))
  })
  const resources = () =>
    process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|Ares|DNS/i.test(name)).length
  const before = resources()
  const one = (url: string, timeout_ms = 30_000) => checks.http({ url }, soon({ timeout_ms }))
  const all = Array.from({ length: 50 }, () => [
    one(quiet.url.replace('tcp', 'http'), 200),
    one(quiet.url.replace('tcp', 'https'), 200),
    one(well.url),
    one(endless.url),
  ])
  const outcomes = await Promise.all(all.flat())
  expect(outcomes.map(({ ok }) => ok).slice(0, 4)).toEqual([false, false, true, true])
  await until(
    () => quiet.open.size + well.open.size + endless.open.size,
    (open) => open === 0,
  )
  // The additional timer belongs to this wait.
  await until(resources, (after) => after <= before + 1)
})
