import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CheckContext } from '../../activities/checks/contract.ts'
import { checks } from '../../activities/checks/index.ts'
import { openOwnPorts } from '../../src/outbound/own-ports.ts'
import { until } from '../support/wait.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer, type Target } from './support/servers.ts'

const dir = mkdtempSync(join(tmpdir(), 'upbeat-own-ports-'))
let own: Target
let other: Target
let context: CheckContext
beforeAll(async () => {
  own = await httpServer((_, answer) => answer.end('internal'), '0.0.0.0')
  other = await httpServer((_, answer) => answer.end('public'), '0.0.0.0')
  context = soon({ own_ports: await ownPorts({ TEMPORAL_ADDRESS: `127.0.0.1:${own.port}` }) })
})
afterAll(async () => {
  rmSync(dir, { recursive: true })
  await closeServers()
})

const elsewhere = 'postgres://user@192.0.2.1:1/upbeat'
const ownPorts = (config: Partial<Parameters<typeof openOwnPorts>[0]>) =>
  openOwnPorts({ DATABASE_URL: elsewhere, ...config })
const refusal = /:\d+ is a port of this service's own servers; nothing may connect to it$/
const interfaceAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe('a check refuses a port of the own servers', () => {
  const spellings = [
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '2130706433',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '0.0.0.0',
  ]
  test.each([...spellings, '[::ffff:127.0.0.1]', '[::1]', '[::]', interfaceAddress ?? '127.0.0.1'])(
    'at %s, by every type that connects',
    async (host) => {
      const bare = host.replace(/[[\]]/g, '')
      for (const [type, check] of [
        ['http', checks.http({ url: `http://${host}:${own.port}/` }, context)],
        ['api', checks.api({ url: `https://${host}:${own.port}/` }, context)],
        ['latency', checks.latency({ url: `http://${host}:${own.port}/` }, context)],
        ['tcp', checks.tcp({ host: bare, port: own.port }, context)],
        ['tls', checks.tls({ host: bare, port: own.port }, context)],
        ['dns', checks.dns({ host: 'example.com', resolver: `${host}:${own.port}` }, context)],
      ] as const) {
        expect([type, await check]).toEqual([
          type,
          { ok: false, latency_ms: null, refused: true, evidence: expect.stringMatching(refusal) },
        ])
      }
      expect(own.made).toBe(0)
    },
  )

  test('if a name resolves to the address of the server, also after an earlier look-up with another address', async () => {
    const answers = [['192.0.2.1'], ['127.0.0.1']]
    const look_up = async () => answers.shift() ?? []
    const url = `http://name.example:${own.port}/`
    await checks.http({ url }, { ...context, timeout_ms: 200, look_up })
    expect(await checks.http({ url }, { ...context, look_up })).toMatchObject({ refused: true })
    expect(own.made).toBe(0)
  })

  test('after a redirect to the server, which is a failure of the target', async () => {
    const { url } = await httpServer((_, answer) =>
      answer.writeHead(307, { location: `http://localhost:${own.port}/api/v1/namespaces` }).end(),
    )
    const outcome = await checks.http({ url }, context)
    expect(outcome).toEqual({ ok: false, latency_ms: null, evidence: expect.stringMatching(refusal) })
    expect(own.made).toBe(0)
  })
})

test('a check connects to every other port of this machine', async () => {
  expect(await checks.http({ url: other.url.replace('0.0.0.0', 'localhost') }, context)).toMatchObject({ ok: true })
})

describe('the own ports include the port', () => {
  test.each([
    ['the database', { DATABASE_URL: 'postgres://user:secret@192.0.2.7:5433/upbeat' }, '192.0.2.7', 5433],
    ['the database at its usual port', { DATABASE_URL: 'postgresql://user@192.0.2.7/upbeat' }, '192.0.2.7', 5432],
    ['a database named in the query', { DATABASE_URL: 'postgres:///upbeat?host=db.test&port=6000' }, 'DB.test.', 6000],
    ['Temporal', { TEMPORAL_ADDRESS: '192.0.2.8:7000' }, '192.0.2.8', 7000],
    ['the HTTP interface of Temporal', { TEMPORAL_ADDRESS: '192.0.2.8:7000' }, '192.0.2.8', 7243],
    ['Temporal by its name', { TEMPORAL_ADDRESS: 'temporal.test:7233' }, 'temporal.test', 7233],
    ['what the operator names', { OWN_ADDRESSES: [{ host: '192.0.2.9', port: 8080 }] }, '::ffff:192.0.2.9', 8080],
    ['what the operator names by a name', { OWN_ADDRESSES: [{ host: 'localhost', port: 8080 }] }, '127.8.8.8', 8080],
  ])('of %s', async (_what, config, host, port) => {
    const own = await ownPorts(config)
    expect([own.includes(host, port), own.includes(host, port + 1), own.includes('192.0.2.99', port)]).toEqual([
      ...[true, false, false],
    ])
  })

  test('the own ports include the metrics port of each process in DATA_DIR', async () => {
    const own = await ownPorts({ DATA_DIR: dir })
    expect(own.includes('127.0.0.1', 9464)).toBe(false)
    writeFileSync(join(dir, 'api.json'), '{"pid":1,"port":3000,"metrics_port":9464}')
    writeFileSync(join(dir, 'worker.json'), '{"pid":2,"metrics_port":9465}')
    // Waits until the files are read again, after a second.
    await until(
      () => own.includes('127.0.0.1', 9464),
      (included) => included,
    )
    expect([9464, 9465, 3000].map((port) => own.includes('127.0.0.1', port))).toEqual([true, true, false])
    expect(own.includes('192.0.2.1', 9464)).toBe(false)
  })

  test('the own ports include no port of a database behind a Unix socket', async () => {
    const own = await ownPorts({ DATABASE_URL: 'postgres:///upbeat?host=/run/postgresql' })
    expect(own.includes('127.0.0.1', 5432)).toBe(false)
  })
})

test('the ports on which the Temporal server of DATA_DIR listens are refused, whatever they are', async () => {
  mkdirSync(join(dir, 'temporal'))
  // This process listens on the ports of the test.
  writeFileSync(join(dir, 'temporal/temporal.json'), JSON.stringify({ pid: process.pid }))
  const ports = await ownPorts({ DATA_DIR: dir })
  expect([own.port, other.port].map((port) => ports.includes('127.0.0.1', port))).toEqual([true, true])
  expect([ports.includes('127.0.0.1', 1), ports.includes('192.0.2.7', own.port)]).toEqual([false, false])
  writeFileSync(join(dir, 'temporal/temporal.json'), 'cut')
  expect((await ownPorts({ DATA_DIR: dir })).includes('127.0.0.1', own.port)).toBe(false)
})
