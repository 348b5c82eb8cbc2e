import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { prune } from '../../src/domain/retention.ts'
import { FeedReader } from '../../src/persistence/entities/feed-reader.ts'
import { storeReaders } from '../../src/persistence/system/feed-readers.ts'
import { openFeedReaders } from '../../src/web/feed-readers.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const start = new Date('2026-03-02T12:00:00Z')

let service: TestService
let item: number
let custom: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  await service.admin.post('/admin/views', { name: 'Shops', alias: 'shops', items: [{ id: item }] })
  custom = (await service.admin.post('/admin/feeds', { name: 'All', format: 'rss' })).body.id
})
afterAll(() => service.close())

async function read(path: string, agent: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${service.url}${path}`, { method, headers: { 'User-Agent': agent, ...headers } })
  await response.text()
  return { status: response.status, etag: response.headers.get('ETag') ?? '' }
}

async function counted(): Promise<Record<string, number>> {
  await service.feedReaders.flush()
  const { body } = await service.admin.get('/admin/feeds')
  const feeds = body.feeds as { name: string; readers_7d: number }[]
  return Object.fromEntries(feeds.map(({ name, readers_7d }) => [name, readers_7d]))
}

const rows = () => service.services.system.em.fork().findAll(FeedReader)

test('each reader of a feed counts once, however the answer is made', async () => {
  for (const agent of ['a', 'b', 'a', 'a']) expect((await read('/feed.rss', agent)).status).toBe(200)
  const { etag } = await read('/feed.atom', 'a')
  expect((await read('/feed.atom', 'c', { 'If-None-Match': etag })).status).toBe(304)
  expect((await read('/feed.atom', 'd', { 'If-None-Match': etag })).status).toBe(304)
  await read(`/items/${item}/feed.rss`, 'e')
  await read('/v/shops/feed.rss', 'h')
  await read(`/feeds/${custom}.rss`, 'a')
  await read(`/feeds/${custom}.rss`, 'f', {}, 'HEAD')
  await read('/feeds/999.rss', 'a')
  expect(await counted()).toEqual({ RSS: 4, Atom: 3, iCalendar: 0, All: 1 })
})

test('no address and no name of a program is stored, and the same reader of two feeds has two hashes', async () => {
  const stored = await rows()
  for (const { reader } of stored) expect(reader).toMatch(/^[\w-]{22}$/)
  expect(new Set(stored.map(({ reader }) => reader)).size).toBe(stored.length)
})

test('counts survive a restart, and a reader counts for seven days after the last read', async () => {
  service.now = new Date(start.getTime() + 6 * DAY_MS)
  const restarted = openFeedReaders(service.services)
  restarted.of(service.page.id, 'rss').add('127.0.0.1', 'a')
  restarted.of(service.page.id, 'rss').add('127.0.0.1', 'g')
  await restarted.close()
  expect(await counted()).toMatchObject({ RSS: 5, Atom: 3 })
  service.now = new Date(start.getTime() + 8 * DAY_MS)
  expect(await counted()).toEqual({ RSS: 2, Atom: 0, iCalendar: 0, All: 0 })
  expect(await rows()).toHaveLength(9)
  await prune(service.services)
  expect(await rows()).toHaveLength(2)
})

test('the number of stored readers of a feed is bounded; known readers are stored again', async () => {
  const seen = (hashes: string[]) =>
    storeReaders(
      service.services.system,
      { pageId: service.page.id, feed: custom },
      { hashes, seenAt: service.now, most: 3 },
    )
  await seen(['one', 'two'])
  await seen(['three', 'four', 'one'])
  expect(await counted()).toMatchObject({ All: 3 })
})

test('readers of another page do not count', async () => {
  await read('/status/other/feed.rss', 'z')
  expect(await counted()).toMatchObject({ RSS: 2 })
})
