import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { attributesOf } from './parse-feeds.ts'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService()
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  await service.admin.post('/admin/views', { name: 'Shops', alias: 'shops', items: [{ id: item }] })
})
afterAll(() => service.close())

async function linksOf(path: string): Promise<string[]> {
  const { status, body } = await service.as(undefined).get(`/${path}`)
  expect([path, status]).toEqual([path, 200])
  const inHead = attributesOf(body, 'link', 'href').filter((address) => address.includes('/feed.'))
  const inFooter = attributesOf(body.slice(body.indexOf('<footer')), 'a', 'href').filter((one) =>
    one.includes('/feed.'),
  )
  expect(inFooter).toEqual(inHead)
  return inHead
}

test.each([
  ['/', '/feed'],
  ['/history', '/feed'],
  ['/items/1', '/items/1/feed'],
  ['/v/shops', '/v/shops/feed'],
  ['/status/first', '/status/first/feed'],
  ['/status/first/items/1', '/status/first/items/1/feed'],
])('%s leads programs and people to %s', async (path, feed) => {
  const links = await linksOf(path.replace('1', String(item)))
  expect(links).toEqual(['rss', 'atom'].map((format) => `${feed}.${format}`.replace('1', String(item))))
  for (const link of links) expect((await service.as(undefined).get(`/${link}`)).status).toBe(200)
})

test('a disabled feed has no link', async () => {
  const { body } = await service.admin.get('/admin/feeds')
  const { id } = body.feeds.find(({ format }: { format: string }) => format === 'rss')
  await service.admin.patch(`/admin/feeds/${id}`, { enabled: false })
  expect(await linksOf('/')).toEqual(['/feed.atom'])
  expect(await linksOf('/v/shops')).toEqual(['/v/shops/feed.atom'])
  expect((await service.as(undefined).get('//v/shops/feed.rss')).status).toBe(404)
  await service.admin.patch(`/admin/feeds/${id}`, { enabled: true })
})

test('links and self links keep the language of a page with several', async () => {
  await service.admin.patch('/admin/settings', {
    multilingual_enabled: true,
    multilingual_public_ready: true,
    supported_locales: ['en', 'de'],
  })
  const translations = [{ locale: 'de', values: { title: 'Langsam' }, state: 'published' }]
  await service.admin.post('/admin/incidents', { title: 'Slow', translations, affected_items: [{ id: item }] })
  expect(await linksOf('/?locale=de')).toEqual(['/feed.rss?locale=de', '/feed.atom?locale=de'])
  const reader = service.as(undefined)
  const german = (await reader.get('//feed.atom?locale=de')).body
  expect(german).toMatch(/xml:lang="de".*<title type="text">Langsam – /s)
  expect(attributesOf(german, 'link', 'href').at(0)).toBe('http://status.test/status/first/feed.atom?locale=de')
  const english = (await reader.get('//feed.atom')).body
  expect(english).toMatch(/xml:lang="en".*<title type="text">Slow – /s)
  const idsIn = (document: string) => [...document.matchAll(/<entry>\n<id>(.*?)<\/id>/g)].map(([, id]) => id)
  expect(idsIn(german)).toEqual(idsIn(english))
  const { body: feed } = await service.admin.post('/admin/feeds', { name: 'German', format: 'atom', locale: 'de' })
  expect((await reader.get(`//feeds/${feed.id}.atom`)).body).toContain('Langsam')
  expect((await reader.get(`//feeds/${feed.id}.atom?locale=en`)).body).toContain('Slow')
})
