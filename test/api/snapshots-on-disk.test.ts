import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createApp } from '../../src/api/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import { openDirectory } from '../../src/domain/pages/directory.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createFoundation } from '../../src/services.ts'
import { openSnapshotFiles, type StoredRead } from '../../src/web/answers/snapshot-files.ts'
import { openFeedReaders } from '../../src/web/feed-readers.ts'
import { openPublicReads } from '../../src/web/public-reads.ts'
import { openChangeStreams } from '../../src/web/streams/streams.ts'
import { warmPages } from '../../src/web/warming/warm-pages.ts'
import { callerOf } from '../support/caller.ts'
import { idlePulse, openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { flakyWay } from './support/flaky-database.ts'

let service: TestService
let way: Awaited<ReturnType<typeof flakyWay>>
let dir: string
let token: string
beforeAll(async () => {
  service = await openTestService()
  way = await flakyWay(service.services.app.config.get('clientUrl')!)
  dir = mkdtempSync(join(tmpdir(), 'upbeat-snapshots-'))
  token = await service.token()
})
afterAll(async () => {
  way.close()
  await service.close()
  rmSync(dir, { recursive: true })
})

const logger = createLogger('silent', 'test')

/** A process of the API, over the connection that this test cuts. */
async function startApi({ isWarm = false } = {}) {
  const files = openSnapshotFiles({ dir, logger, delayMs: 10 })
  const reads = openPublicReads(logger, files)
  const foundation = await createFoundation({
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
    name: 'upbeat-test-restarted',
    wakeups: () => ({ wakeProcesses: () => {} }),
    pageChanged: reads.changed,
    directoryChanged: () => directory.forget(),
  })
  const { services, metrics } = foundation
  const directory = openDirectory(services.system, undefined, files)
  const app = createApp({
    services,
    metrics,
    reads,
    streams: openChangeStreams({ logger, limits: { perAddress: 10, inAll: 10 }, watch: reads.watch }),
    directory,
    rateLimits: readConfig({}).RATE_LIMITS,
    trustProxy: false,
    ingestMaxBytes: 1024,
    patience: { checkMs: 0, turnMs: 0, planMs: 0 },
    ask: async () => false,
    inspect: async () => ({ status: 'away' }),
    health: { database: async () => true, temporal: async () => false },
    pulse: idlePulse,
    feedReaders: openFeedReaders(services),
  })
  const handler = app.callback()
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const warming = isWarm ? warmPages({ services, handler, watch: reads.watch, settleMs: 50 }) : undefined
  return {
    admin: callerOf(url, token),
    anyone: callerOf(url, undefined),
    async stop() {
      await warming?.close()
      server.closeAllConnections()
      server.close()
      await files.close()
      await foundation.close()
    },
  }
}

const line = 'The newest state cannot be read at the moment. This page shows the state of'
const hiddenLine = new RegExp(`data-stale hidden>${line}`)
const shownLine = new RegExp(`data-stale>${line}`)

function makeOlder(pageId: number): void {
  const file = join(dir, `page-${pageId}.json`)
  const reads = JSON.parse(readFileSync(file, 'utf8')) as object[]
  const at = Date.parse('2026-01-01T00:00:00Z')
  writeFileSync(file, JSON.stringify(reads.map((read) => ({ ...read, at }))))
}

const paths = ['//', '/incidents', '/settings', '/pages/public/first/summary', '/pages/public/current-host']

test('a process that starts while the database is away serves the last answers', async () => {
  const first = await startApi()
  const { body: incident } = await first.admin.post('/admin/incidents', { title: 'Held' })
  const detail = `//incidents/${incident.id}`
  const before = new Map<string, unknown>()
  for (const path of [...paths, detail]) before.set(path, (await first.anyone.get(path)).body)
  await first.anyone.get('/incidents?limit=1')
  await first.stop()

  way.cut()
  let second = await startApi()
  for (const path of [...paths, detail]) {
    const { status, body, headers } = await second.anyone.get(path)
    expect([path, status, body]).toEqual([path, 200, before.get(path)])
    expect(Date.parse(headers.get('x-snapshot-at')!)).toBeLessThanOrEqual(Date.now())
  }
  expect((await second.anyone.get('//')).body).toMatch(hiddenLine)
  for (const path of ['/incidents?limit=1', '//incidents/999']) {
    expect([path, (await second.anyone.get(path)).status]).toEqual([path, 503])
  }
  expect((await second.admin.get('/admin/incidents')).status).toBe(503)

  await second.stop()
  makeOlder(service.page.id)
  second = await startApi()
  const { body, headers } = await second.anyone.get('//')
  expect(body).toMatch(shownLine)
  expect(headers.get('x-snapshot-at')).toBe('2026-01-01T00:00:00.000Z')

  way.mend()
  await until(
    () => second.anyone.get('/incidents'),
    ({ status, headers }) => status === 200 && !headers.has('x-snapshot-at'),
  )
  await second.stop()
})

test('without the database, what is not held in the language of a reader is served in the original language', async () => {
  const first = await startApi()
  await first.admin.patch('/admin/settings', {
    ...{ supported_locales: ['en', 'de'], multilingual_enabled: true, multilingual_public_ready: true },
  })
  const german = { locale: 'de', values: { title: 'Gehalten' }, state: 'published' }
  const { body: incident } = await first.admin.post('/admin/incidents', { title: 'Held', translations: [german] })
  const all = ['//', '/incidents', '//feed.rss', `//incidents/${incident.id}`]
  for (const path of all) expect([path, (await first.anyone.get(path)).status]).toEqual([path, 200])
  await first.anyone.get('//?locale=de')
  await first.stop()
  way.cut()
  const second = await startApi()
  for (const path of all) {
    const { status, headers } = await second.anyone.get(path, { 'Accept-Language': 'de' })
    const language = path === '//' ? 'de' : 'en'
    expect([path, status, headers.get('content-language')]).toEqual([path, 200, language])
    expect(headers.has('x-snapshot-at')).toBe(true)
  }
  expect((await second.anyone.get('//incidents/999', { 'Accept-Language': 'de' })).status).toBe(503)
  await second.stop()
  way.mend()
  await service.admin.patch('/admin/settings', { multilingual_public_ready: false, multilingual_enabled: false })
})

test('views for everyone are served without the database, and other views are not', async () => {
  const first = await startApi()
  const item = (await first.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  const view = { name: 'Shops', items: [{ id: item }] }
  await first.admin.post('/admin/views', { ...view, alias: 'open' })
  await first.admin.post('/admin/views', { ...view, alias: 'inside', access_mode: 'verified_email' })
  const doors = ['//v/open', '//v/open/feed.rss', '//v/open/calendar.ics', '/views/open/data']
  for (const door of doors) expect([door, (await first.anyone.get(door)).status]).toEqual([door, 200])
  const inside = '/views/inside/data'
  expect((await first.admin.get(inside)).status).toBe(200)
  await first.stop()
  way.cut()
  const second = await startApi()
  for (const door of doors) expect([door, (await second.anyone.get(door)).status]).toEqual([door, 200])
  expect((await second.anyone.get(inside)).status).toBe(401)
  await second.stop()
  way.mend()
})

test('the page of an incident that no reader requested is served without the database, as it was last', async () => {
  const first = await startApi({ isWarm: true })
  const { body: incident } = await first.admin.post('/admin/incidents', { title: 'Never requested' })
  const detail = `/incidents/${incident.id}`
  const stored = () => {
    const reads = JSON.parse(readFileSync(join(dir, `page-${service.page.id}.json`), 'utf8')) as StoredRead[]
    return new Map(reads.map(({ key, body }) => [key, body]))
  }
  const storesTitle = (title: string) =>
    until(
      () => stored().get(`${detail}?`) ?? '',
      (body) => body.includes(title),
    )
  await storesTitle('Never requested')
  await first.admin.patch(`/admin/incidents/${incident.id}`, { title: 'Renamed afterwards' })
  await storesTitle('Renamed afterwards')
  await until(stored, (reads) => reads.has('/status/first/api/v1/maintenances?'))
  await first.stop()

  way.cut()
  const second = await startApi()
  for (const path of [`/${detail}`, `//status/first${detail}`, '/pages/public/first/metrics', '/maintenances']) {
    expect([path, (await second.anyone.get(path)).status]).toEqual([path, 200])
  }
  expect((await second.anyone.get(`/${detail}`)).body).toContain('Renamed afterwards')
  await second.stop()
  way.mend()
})

test('the answers of a page that not everyone may read are removed', async () => {
  const api = await startApi()
  await api.anyone.get('//')
  const file = `page-${service.page.id}.json`
  await until(
    () => readdirSync(dir),
    (names) => names.includes(file),
  )
  await api.admin.patch('/admin/page', { visibility: 'private' })
  expect((await api.anyone.get('//')).status).toBe(404)
  await until(
    () => readdirSync(dir),
    (names) => !names.includes(file),
  )
  await api.admin.get('//')
  await api.stop()
  expect(readdirSync(dir)).not.toContain(file)
  expect(readFileSync(join(dir, 'pages.json'), 'utf8')).not.toContain(service.page.name)
  way.cut()
  const again = await startApi()
  expect((await again.anyone.get('//')).status).toBe(404)
  await again.stop()
  way.mend()
})
