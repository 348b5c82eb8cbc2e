import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createApp } from '../../src/api/app.ts'
import { openDirectory } from '../../src/domain/pages/directory.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { openFeedReaders } from '../../src/web/feed-readers.ts'
import { openPublicReads } from '../../src/web/public-reads.ts'
import { withoutDatabase } from '../support/administrator.ts'
import { callerOf } from '../support/caller.ts'
import { insertHeartbeat } from '../support/stored-beats.ts'
import { idlePulse, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let server: ReturnType<typeof createServer>
let url: string
const lines: string[] = []
const metrics = createMetrics()
beforeAll(async () => {
  service = await openTestService()
  const logger = createLogger('trace', 'test', { write: (line) => lines.push(line) })
  const services = { ...service.services, logger }
  const app = createApp({
    services,
    metrics,
    reads: openPublicReads(logger),
    streams: service.streams,
    directory: openDirectory(services.system, undefined),
    rateLimits: {
      public: 10,
      admin: 10,
      heartbeat: 6,
      ingest: 600,
      subscribe: 10,
      magic_link: 30,
      viewer_password: 10,
    },
    trustProxy: false,
    ingestMaxBytes: 1024,
    patience: { checkMs: 0, turnMs: 0, planMs: 0 },
    ask: async () => false,
    inspect: async () => ({ status: 'away' }),
    health: { database: async () => true, temporal: async () => true },
    pulse: idlePulse,
    feedReaders: openFeedReaders(services),
  })
  server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await service.close()
})

test('a token appears in no log, metric, answer or table, except in sealed form', async () => {
  const { path } = await insertHeartbeat(service, { period_seconds: 60 })
  const token = path.split('/').at(-1)!
  const unknown = `/heartbeats/uph_${'ab'.repeat(20)}`
  const { post, del, get } = callerOf(url, undefined)
  const calls = [path, `${path}/start`, `${path}/fail`, `${path}/none`, `${path}/fail/more`, unknown]
  const answers = []
  for (const one of calls) answers.push(await post(one))
  answers.push(await del(path), await get(`${path}/0?again=${token}`))
  answers.push(await withoutDatabase(service, () => get(path)))
  const limited = await get(path)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 404, 404, 405, 200, 503])
  expect(limited.status).toBe(429)
  const said = [
    ...lines,
    await metrics.registry.metrics(),
    ...[...answers, limited].map(({ body, headers }) => JSON.stringify([body, [...headers]])),
  ].join('\n')
  expect(said).toContain('/api/v1/heartbeats/{token}/{outcome}')
  for (const secret of [token, unknown.split('/').at(-1)!]) expect(said).not.toContain(secret)
  const em = service.services.system.em.fork()
  const tables = await em.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'migration'`,
  )
  for (const { name } of tables) {
    const [row] = await em.execute<{ found: number }[]>(
      `select count(*)::int as found from ${name} t where to_jsonb(t)::text like ?`,
      [`%${token}%`],
    )
    expect([name, row!.found]).toEqual([name, 0])
  }
})
