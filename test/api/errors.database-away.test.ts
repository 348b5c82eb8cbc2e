import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createApp } from '../../src/api/app.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import { openDirectory } from '../../src/domain/pages/directory.ts'
import { takesWrites } from '../../src/persistence/system/readiness.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createFoundation, type Foundation } from '../../src/services.ts'
import { openFeedReaders } from '../../src/web/feed-readers.ts'
import { openPublicReads } from '../../src/web/public-reads.ts'
import { openChangeStreams } from '../../src/web/streams/streams.ts'
import { type Caller, callerOf } from '../support/caller.ts'
import { idlePulse, openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { flakyWay } from './support/flaky-database.ts'

/** A second service on the same database, over a connection that this test cuts. */
let service: TestService
let foundation: Foundation
let way: Awaited<ReturnType<typeof flakyWay>>
let server: ReturnType<typeof createServer>
let admin: Caller
let anyone: Caller
beforeAll(async () => {
  service = await openTestService()
  way = await flakyWay(service.services.app.config.get('clientUrl')!)
  const logger = createLogger('silent', 'test')
  const reads = openPublicReads(logger)
  foundation = await createFoundation({
    config: {
      DATABASE_URL: way.url,
      DATABASE_POOL: 4,
      BASE_URL: 'http://x/',
      BASE_DOMAIN: undefined,
      ENCRYPTION_KEYS: makeKey(),
      BEAT_TARGETS: 'any',
      REGIONS: ['local'],
      TEST_MINUTE_MS: 1,
    },
    logger,
    name: 'upbeat-test-flaky',
    wakeups: () => ({ wakeProcesses: () => {} }),
    pageChanged: reads.changed,
  })
  const { services, metrics } = foundation
  const health = { database: () => takesWrites(services.system, async () => {}), temporal: async () => true }
  const directory = openDirectory(services.system, undefined)
  const app = createApp({
    services,
    metrics,
    reads,
    streams: openChangeStreams({ logger, limits: { perAddress: 10, inAll: 10 }, watch: reads.watch }),
    directory,
    rateLimits: 'off',
    trustProxy: false,
    ingestMaxBytes: 1024,
    patience: { checkMs: 0, turnMs: 0, planMs: 0 },
    ask: async () => false,
    inspect: async () => ({ status: 'away' }),
    health,
    pulse: idlePulse,
    feedReaders: openFeedReaders(services),
  })
  server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  admin = callerOf(url, await service.token())
  anyone = callerOf(url, undefined)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await foundation.close()
  way.close()
  await service.close()
})

test('while the database is away, work is refused with 503, and what was read last is read on', async () => {
  const { body: incident } = await admin.post('/admin/incidents', { title: 'Down' })
  const before = await anyone.get('/incidents')
  expect((await anyone.get('//readyz')).body).toMatchObject({ status: 'ready', database: 'up' })

  way.cut()
  const calls = [
    () => admin.post('/admin/incidents', { title: 'Down too' }),
    () => admin.get('/admin/incidents'),
    () => admin.post(`/admin/incidents/${incident.id}/resolve`),
    () => anyone.get(`/incidents/${incident.id}`),
    () => anyone.get(`/heartbeats/uph_${'0'.repeat(40)}`),
    () => anyone.post(`/heartbeats/uph_${'0'.repeat(40)}/fail`),
  ]
  for (const call of calls) {
    const { status, body, headers } = await call()
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect(body).toEqual({ error: expect.any(String), code: 'unavailable', request_id: expect.any(String) })
  }
  const during = await anyone.get('/incidents')
  expect([during.status, during.body]).toEqual([200, before.body])
  const ready = await until(
    () => anyone.get('//readyz'),
    ({ status }) => status !== 200,
  )
  expect([ready.status, ready.body]).toEqual([503, { status: 'unavailable', database: 'away', temporal: 'up' }])
  expect((await anyone.get('//healthz')).status).toBe(200)

  way.mend()
  const { status } = await admin.post('/admin/incidents', { title: 'Down three' })
  expect(status).toBe(201)
  expect((await anyone.get('/incidents')).body.total).toBe(2)
})
