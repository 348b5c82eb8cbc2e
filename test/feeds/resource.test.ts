import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { parsers } from './parse-feeds.ts'

let service: TestService
let ids: Record<'shop' | 'cart' | 'mail' | 'stage' | 'view', number>
const feeds = '/admin/feeds'

beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  await admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
  const create = async (path: string, body: object) => (await admin.post(path, body)).body.id as number
  const shop = await create('/admin/hierarchy/items', { name: 'Shop' })
  const cart = await create('/admin/hierarchy/items', { name: 'Cart', parent_id: shop })
  const mail = await create('/admin/hierarchy/items', { name: 'Mail' })
  const down = await create('/admin/incidents', { title: 'Cart is slow', affected_items: [{ id: cart }] })
  const update = await admin.post(`/admin/incidents/${down}/updates`, {
    message: 'We found it',
    lifecycle_stage_name: 'Identified',
  })
  await create('/admin/incidents', { title: 'Mail is late', affected_items: [{ id: mail }] })
  await create('/admin/maintenances', { title: 'Upgrade', affected_items: [{ id: shop }] })
  const view = await create('/admin/views', { name: 'Sales', items: [{ id: shop }] })
  ids = { shop, cart, mail, stage: update.body.lifecycle_stage_id, view }
})
afterAll(() => service.close())

async function makeFeed(fields: object) {
  const { status, body } = await service.admin.post(feeds, { name: 'Sales', format: 'atom', ...fields })
  expect([status, body]).toEqual([201, body])
  return body
}

const read = (path: string) => service.as(undefined).get(`/${path}`)

async function titles(path: string): Promise<string[]> {
  const { status, body } = await read(path)
  expect([status, status === 200 ? 200 : body]).toEqual([200, 200])
  return (await parsers.feedsmith(body)).map(({ title }) => title)
}

describe('the built-in feeds', () => {
  test('are listed with their addresses', async () => {
    const { body } = await service.otherAdmin.get(
      `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/feeds`,
    )
    expect(body.total).toBe(3)
    const shown = body.feeds.map(({ name, url, built_in }: Record<string, unknown>) => [name, url, built_in])
    const at = 'http://status.test/status/other'
    expect(shown.sort()).toEqual([
      ['Atom', `${at}/feed.atom`, true],
      ['RSS', `${at}/feed.rss`, true],
      ['iCalendar', `${at}/calendar.ics`, true],
    ])
  })

  test('can be disabled, with the feeds of items, and not deleted or narrowed', async () => {
    const { body } = await service.admin.get(feeds)
    const rss = body.feeds.find(({ format, built_in }: Record<string, unknown>) => format === 'rss' && built_in)
    const path = `${feeds}/${rss.id}`
    expect((await service.admin.del(path)).body).toMatchObject({ code: 'conflict' })
    const scope = { kind: 'items', item_ids: [ids.shop] }
    expect((await service.admin.patch(path, { scope })).body.errors).toEqual([
      { path: 'scope', message: `cannot be changed: the feed "RSS" (${rss.id}) is built in` },
    ])
    expect((await service.admin.patch(path, { enabled: false })).body).toMatchObject({ enabled: false, version: 2 })
    expect([(await read('/feed.rss')).status, (await read(`/items/${ids.shop}/feed.rss`)).status]).toEqual([404, 404])
    expect((await read('/feed.atom')).status).toBe(200)
    await service.admin.patch(path, { enabled: true })
    expect((await read('/feed.rss')).status).toBe(200)
    expect((await read(`/feeds/${rss.id}.rss`)).status).toBe(404)
  })
})

describe('a feed of items', () => {
  test('has the records of its items, with and without what is below', async () => {
    const scope = { kind: 'items', item_ids: [ids.shop] }
    const { id, url } = await makeFeed({ scope })
    expect(url).toBe(`http://status.test/status/first/feeds/${id}.atom`)
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(['Upgrade', 'Cart is slow'])
    expect((await read(`/feeds/${id}.atom`)).body).toContain('<title type="text">First: Sales</title>')
    expect((await read(`/feeds/${id}.rss`)).status).toBe(404)
    await service.admin.patch(`${feeds}/${id}`, { scope: { ...scope, include_descendants: false } })
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(['Upgrade'])
    await service.admin.patch(`${feeds}/${id}`, { format: 'rss', enabled: true })
    expect(await titles(`/feeds/${id}.rss?entries=incidents`)).toEqual(['Upgrade'])
    await service.admin.patch(`${feeds}/${id}`, { enabled: false })
    expect((await read(`/feeds/${id}.rss`)).status).toBe(404)
    expect((await service.admin.del(`${feeds}/${id}`)).body.message).toBe('The feed "Sales" is deleted.')
  })

  test.each([
    [{ kinds: ['incidents'] }, ['Mail is late', 'Cart is slow']],
    [{ kinds: ['maintenances'] }, ['Upgrade']],
  ])('of %j', async (fields, expected) => {
    const { id } = await makeFeed(fields)
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(expected)
  })

  test('of a lifecycle stage has the entries with this stage', async () => {
    const { id } = await makeFeed({ lifecycle_stage_ids: [ids.stage] })
    expect(await titles(`/feeds/${id}.atom`)).toEqual(['Cart is slow – Degraded, Identified'])
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(['Cart is slow'])
  })

  test('of a view follows the view, and is readable while everyone may read the view', async () => {
    const { id } = await makeFeed({ scope: { kind: 'view', view_id: ids.view } })
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(['Upgrade', 'Cart is slow'])
    await service.admin.patch(`/admin/views/${ids.view}`, { items: [{ id: ids.mail }] })
    expect(await titles(`/feeds/${id}.atom?entries=incidents`)).toEqual(['Mail is late'])
    await service.admin.patch(`/admin/views/${ids.view}`, { access_mode: 'verified_email' })
    expect((await read(`/feeds/${id}.atom`)).status).toBe(404)
    await service.admin.del(`/admin/views/${ids.view}`)
    expect((await service.admin.get(`${feeds}/${id}`)).status).toBe(404)
  })
})

test('a calendar of items has the maintenances of its items; a disabled built-in one is a 404', async () => {
  const { id, url, kinds } = await makeFeed({ format: 'ics', scope: { kind: 'items', item_ids: [ids.shop] } })
  expect([url, kinds]).toEqual([`http://status.test/status/first/feeds/${id}.ics`, ['maintenances']])
  await service.admin.post('/admin/views', { name: 'Mails', alias: 'mails', items: [{ id: ids.mail }] })
  expect((await read('/v/mails/calendar.ics')).status).toBe(200)
  const planned = { scheduled_start_time: '2030-01-02T10:00:00Z' }
  const planFor = (item: number, title: string) =>
    service.admin.post('/admin/maintenances', { title, affected_items: [{ id: item }], ...planned })
  await planFor(ids.shop, 'New disk')
  await planFor(ids.mail, 'Mail upgrade')
  const { status, body } = await read(`/feeds/${id}.ics`)
  expect([status, body.includes('New disk'), body.includes('Mail upgrade')]).toEqual([200, true, false])
  expect((await read('/calendar.ics')).body).toContain('Mail upgrade')
  const { body: list } = await service.admin.get(feeds)
  const ics = list.feeds.find(({ format, built_in }: Record<string, unknown>) => format === 'ics' && built_in)
  await service.admin.patch(`${feeds}/${ics.id}`, { enabled: false })
  expect((await read('/calendar.ics')).status).toBe(404)
  expect((await read(`/items/${ids.shop}/calendar.ics`)).status).toBe(404)
  expect((await read('/v/mails/calendar.ics')).status).toBe(404)
  expect((await read(`/feeds/${id}.ics`)).status).toBe(200)
  await service.admin.patch(`${feeds}/${ics.id}`, { enabled: true })
})

test('a full list adds filters and managers, which only administrators of the audience read', async () => {
  const managers = [{ name: 'Ada', email: 'ada@example.com' }]
  const scope = { kind: 'items', item_ids: [ids.cart], include_descendants: true }
  const { id } = await makeFeed({ scope, managers, lifecycle_stage_ids: [ids.stage], locale: 'de' })
  const inList = async (as: TestService['admin'], view: string) =>
    (await as.get(`${feeds}?view=${view}`)).body.feeds.find((feed: { id: number }) => feed.id === id)
  const compact = await inList(service.admin, 'compact')
  expect(compact).toMatchObject({ name: 'Sales', scope, locale: 'de', readers_7d: 0, built_in: false, enabled: true })
  expect(Object.keys(compact)).not.toContain('managers')
  const full = await inList(service.admin, 'full')
  expect(full).toMatchObject({ managers, items: [{ name: 'Cart' }], lifecycle_stages: [{ name: 'Identified' }] })
  const reader = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
  expect(await inList(reader, 'full')).toEqual({ ...full, managers: undefined })
  expect((await reader.post(feeds, { name: 'Mine', format: 'rss' })).status).toBe(403)
})

test('of a view for certain readers is refused', async () => {
  const view = { name: 'Inside', items: [{ id: ids.mail }], access_mode: 'verified_email' }
  const { id } = (await service.admin.post('/admin/views', view)).body
  const { status, body } = await service.admin.post(feeds, {
    ...{ name: 'Bad', format: 'rss', scope: { kind: 'view', view_id: id } },
  })
  expect([status, body.errors]).toEqual([
    400,
    [{ path: 'scope.view_id', message: 'names a view for certain readers, and a feed is for everyone' }],
  ])
})

test.each([
  [{ scope: { kind: 'items', item_ids: [999] } }, 'scope.item_ids.0'],
  [{ scope: { kind: 'items', item_ids: [] } }, 'scope.item_ids'],
  [{ scope: { kind: 'view', view_id: 999 } }, 'scope.view_id'],
  [{ lifecycle_stage_ids: [999] }, 'lifecycle_stage_ids.0'],
  [{ format: 'ics', kinds: ['incidents'] }, 'kinds'],
  [{ format: 'ics', lifecycle_stage_ids: [1] }, 'lifecycle_stage_ids'],
  [{ kinds: [] }, 'kinds'],
  [{ locale: 'not a tag' }, 'locale'],
  [{ built_in: true }, 'built_in'],
])('%j is refused', async (fields, path) => {
  const { status, body } = await service.admin.post(feeds, { name: 'Bad', format: 'rss', ...fields })
  expect([status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([400, [path]])
})

test('a scope names items by reference and a view by its code', async () => {
  const items = [{ slug: 'shop' }, { slug: 'cart' }]
  const { scope } = await makeFeed({ scope: { kind: 'items', items } })
  expect(scope).toMatchObject({ kind: 'items', item_ids: [ids.shop, ids.cart] })
  const both = { kind: 'items', items: [{ slug: 'cart' }], item_ids: [ids.shop] }
  const refused = await service.admin.post('/admin/feeds', { name: 'Both', format: 'rss', scope: both })
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: 'scope.items', message: 'names other items than `item_ids`' }],
  ])
  const { body: view } = await service.admin.post('/admin/views', {
    ...{ name: 'Cart', alias: 'cart-view', items: [{ id: ids.cart }] },
  })
  const { scope: ofView } = await makeFeed({ scope: { kind: 'view', view: 'cart-view' } })
  expect(ofView).toEqual({ kind: 'view', view_id: view.id })
})

test('a language that the page does not have is refused, and a stored one stays', async () => {
  const message = 'must be a language of this page, which are en, de'
  const { id } = await makeFeed({ locale: 'de-AT' })
  const path = `${feeds}/${id}`
  for (const refused of [
    await service.admin.post(feeds, { name: 'French', format: 'rss', locale: 'fr' }),
    await service.admin.patch(path, { locale: 'tlh' }),
  ])
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: 'locale', message }]])
  await service.admin.patch('/admin/settings', { supported_locales: ['en'] })
  expect((await service.admin.patch(path, { locale: 'de-AT', name: 'Austria' })).status).toBe(200)
  expect((await service.admin.patch(path, { locale: 'de' })).status).toBe(400)
  await service.admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
})
