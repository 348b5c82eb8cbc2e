import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { parsers, type ReadEntry } from './parse-feeds.ts'

let service: TestService
let ids: Record<'shop' | 'cart' | 'mail' | 'incident' | 'other' | 'maintenance', number>

beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const create = async (path: string, body: object) => (await admin.post(path, body)).body.id as number
  const shop = await create('/admin/hierarchy/items', { name: 'Shop' })
  const cart = await create('/admin/hierarchy/items', { name: 'Cart', parent_id: shop })
  const mail = await create('/admin/hierarchy/items', { name: 'Mail' })
  const affected = (id: number) => [{ id }]
  const incident = await create('/admin/incidents', {
    title: 'Cart is slow',
    description: 'Carts **load** slowly',
    status: 'degraded',
    affected_items: [...affected(cart), ...affected(mail)],
    affected_items_freetext: 'The office',
  })
  await admin.post(`/admin/incidents/${incident}/updates`, {
    message: 'We found *it*',
    lifecycle_stage_name: 'Identified',
  })
  await admin.post(`/admin/incidents/${incident}/resolve`, { resolution_message: 'It is gone' })
  const other = await create('/admin/incidents', { title: 'Mail is late', affected_items: affected(mail) })
  const maintenance = await create('/admin/maintenances', {
    title: 'Upgrade',
    description: 'A new disk',
    affected_items: affected(shop),
    scheduled_start_time: '2030-01-02T10:00:00Z',
    scheduled_end_time: '2030-01-02T11:00:00Z',
  })
  await admin.post(`/admin/maintenances/${maintenance}/updates`, { message: 'We begin', status: 'in_progress' })
  ids = { shop, cart, mail, incident, other, maintenance }
})
afterAll(() => service.close())

const get = async (path: string, headers: Record<string, string> = {}) => service.as(undefined).get(`/${path}`, headers)

async function read(path: string): Promise<ReadEntry[]> {
  const { status, body } = await get(path)
  expect(status).toBe(200)
  const [first, second] = await Promise.all(Object.values(parsers).map((parse) => parse(body)))
  expect(second).toEqual(first)
  return first!
}

const titles = async (path: string) => (await read(path)).map(({ title }) => title)

describe.each(['rss', 'atom'])('%s', (format) => {
  test('has an entry for each update and for each creation, newest first, read alike by two parsers', async () => {
    const entries = await read(`/feed.${format}`)
    expect(entries.map(({ title }) => title)).toEqual([
      'Upgrade – In progress',
      'Upgrade – Scheduled',
      'Mail is late – Degraded',
      'Cart is slow – Resolved',
      'Cart is slow – Degraded, Identified',
      'Cart is slow – Degraded',
    ])
    const [, planned, , , found, created] = entries
    expect(found!.content).toContain('We found <em>it</em>')
    expect(found!.content).toContain('<b>Affected:</b> Cart, Mail, and The office')
    expect(found!.content).not.toContain('slowly')
    expect(created!.content).toContain('Carts <strong>load</strong> slowly')
    expect(planned!.content).toMatch(/From<\/b> <time.*2 January 2030.* to <time/)
    expect(found!.link).toBe(`http://status.test/status/first/incidents/${ids.incident}`)
  })

  test('has an entry for each incident and each maintenance', async () => {
    const entries = await read(`/feed.${format}?entries=incidents`)
    expect(entries.map(({ title }) => title)).toEqual(['Upgrade', 'Mail is late', 'Cart is slow'])
    expect(entries[2]!.content).toMatch(/Resolved.*slowly.*It is gone.*We found/s)
  })

  test('has the published report of an incident in the entry of the incident', async () => {
    const { admin } = service
    const path = `/admin/incidents/${ids.incident}/report`
    await admin.request('PUT', path, { title: 'Why', body: 'A **cable** was loose' })
    const shown = async () => (await read(`/feed.${format}?entries=incidents`))[2]!.content
    expect(await shown()).not.toContain('cable')
    await admin.post(`${path}/publish`)
    expect(await shown()).toMatch(/Post-incident report: Why<.*A <strong>cable<\/strong> was loose/s)
    expect(JSON.stringify(await read(`/feed.${format}`))).not.toContain('cable')
    await admin.del(path)
  })

  test('of an item has what affects the item or items below, and names no other item', async () => {
    expect(await titles(`/items/${ids.shop}/feed.${format}?entries=incidents`)).toEqual(['Upgrade', 'Cart is slow'])
    expect(await titles(`/items/${ids.cart}/feed.${format}?entries=incidents`)).toEqual(['Cart is slow'])
    const [entry] = await read(`/items/${ids.cart}/feed.${format}?entries=incidents`)
    expect(entry!.content).toContain('<b>Affected:</b> Cart</p>')
    expect(JSON.stringify(entry)).not.toMatch(/Mail|office/)
    expect((await get(`/items/999/feed.${format}`)).status).toBe(404)
  })

  test('answers 304 to a reader that has the feed, and the same below the slug', async () => {
    const { headers, body } = await get(`/feed.${format}`)
    expect(headers.get('Content-Type')).toBe(`application/${format}+xml; charset=utf-8`)
    expect(headers.get('X-Page-Revision')).toMatch(/^[0-9a-f]{16}$/)
    const again = await get(`/feed.${format}`, { 'If-None-Match': headers.get('ETag')! })
    expect([again.status, again.body]).toEqual([304, ''])
    expect((await get(`/status/first/feed.${format}`)).body).toBe(body)
    expect((await get(`/feed.${format}?utm_source=x`)).body).toBe(body)
  })
})

test('the ids and times of entries stay over edits, and RSS and Atom have the same ids', async () => {
  const before = await read('/feed.atom')
  expect(new Set(before.map(({ id }) => id)).size).toBe(before.length)
  for (const { id } of before)
    expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const { admin } = service
  await admin.patch(`/admin/incidents/${ids.incident}`, { title: 'Carts were slow' })
  const { body } = await admin.get(`/admin/incidents/${ids.incident}/updates`)
  const edited = body.updates.at(-1)
  await admin.patch(`/admin/incidents/${ids.incident}/updates/${edited.id}`, { message: 'We found the cause' })
  const after = await read('/feed.atom')
  expect(after[4]!.content).toContain('We found the cause')
  const lasting = (entries: ReadEntry[]) => entries.map(({ id, published, link }) => ({ id, published, link }))
  expect(lasting(after)).toEqual(lasting(before))
  expect((await read('/feed.rss')).map(({ id }) => id)).toEqual(after.map(({ id }) => id))
})

test('an empty feed is as old as its page', async () => {
  const { body } = await get('/status/other/feed.atom')
  const [page] = await service.services.system.em
    .fork()
    .getConnection()
    .execute<{ created_at: string }[]>('select created_at from page where id = ?', [service.otherPage.id], 'all')
  expect(body).toContain(`<updated>${new Date(page!.created_at).toISOString()}</updated>`)
  expect(body).not.toContain('<entry>')
})
