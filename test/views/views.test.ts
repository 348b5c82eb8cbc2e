import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let items: Record<'shop' | 'cart' | 'mail', number>
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const item = async (name: string, parent_id?: number) =>
    (await admin.post('/admin/hierarchy/items', { name, ...(parent_id ? { parent_id } : {}) })).body.id
  const shop = await item('Shop')
  items = { shop, cart: await item('Cart', shop), mail: await item('Mail') }
})
afterAll(() => service.close())

const views = '/admin/views'
const anyone = () => service.as(undefined)

async function made(fields: object = {}) {
  const { status, body } = await service.admin.post(views, {
    name: 'Shops',
    items: [{ id: items.shop }],
    ...fields,
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body as { id: number; short_code: string; url: string; view: Record<string, unknown> }
}

describe('the record', () => {
  test('gets a short code and an address, and is what was asked for', async () => {
    const { id, short_code, url, view } = await made({
      description: 'For the buyers',
      alias: 'Buyers-1',
      managers: [{ name: 'Kim', email: 'kim@example.com' }],
      expires_at: '2199-01-01T00:00:00Z',
    })
    expect(short_code).toMatch(/^[a-z2-9]{8}$/)
    expect(url).toMatch(/\/v\/buyers-1$/)
    expect(view).toMatchObject({
      ...{ id, short_code, url, alias: 'buyers-1', name: 'Shops', description: 'For the buyers' },
      ...{ include_descendants: true, access_mode: 'public', allowed_domains: [], allowed_emails: [], enabled: true },
      managers: [{ name: 'Kim', email: 'kim@example.com' }],
      items: [{ id: items.shop, name: 'Shop' }],
      ...{ missing_items: [], expires_at: '2199-01-01T00:00:00.000Z', version: 1 },
    })
    const { body } = await service.admin.get(`${views}/${id}`)
    expect(body).toEqual(view)
    const changed = await service.admin.patch(`${views}/${id}`, { ...body, name: 'All shops', expires_at: null })
    expect(changed.body).toMatchObject({ name: 'All shops', expires_at: null, version: 2 })
    expect((await service.admin.del(`${views}/${id}`)).status).toBe(200)
    expect((await service.admin.get(`${views}/${id}`)).status).toBe(404)
  })

  test('has a description that null clears', async () => {
    const { id } = await made({ description: 'For some' })
    const { status, body } = await service.admin.patch(`${views}/${id}`, { description: null })
    expect([status, body.description]).toEqual([200, ''])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ items: [] }, 'items'],
    [{ items: [{ id: 99_999 }] }, 'items.0'],
    [{ alias: 'a b' }, 'alias'],
    [{ alias: '-a' }, 'alias'],
    [{ access_mode: 'secret' }, 'access_mode'],
    [{ access_mode: 'allowed_domains' }, 'allowed_domains'],
    [{ access_mode: 'allowed_emails', allowed_emails: ['not-an-address'] }, 'allowed_emails.0'],
    [{ allowed_domains: ['http://example.com'] }, 'allowed_domains.0'],
    [{ managers: [{ name: 'Kim' }] }, 'managers.0.email'],
  ])('%j is refused', async (fields, path) => {
    const { status, body } = await service.admin.post(views, { name: 'Shops', items: [{ id: items.shop }], ...fields })
    expect([status, body.errors?.[0]?.path]).toEqual([400, path])
  })

  test('an alias is free, and no word of the blocklist; views that have the alias keep it', async () => {
    const first = await made({ alias: 'sales' })
    const taken = await service.admin.post(views, { name: 'Two', items: [{ id: items.mail }], alias: 'SALES' })
    expect([taken.status, taken.body.errors[0].path]).toEqual([400, 'alias'])
    const blocked = await service.admin.post(`${views}/alias-blocklist`, { value: 'Sales' })
    expect([blocked.status, blocked.body.value]).toEqual([201, 'sales'])
    expect((await service.admin.post(`${views}/alias-blocklist`, { value: 'SALES' })).status).toBe(409)
    const kept = await service.admin.patch(`${views}/${first.id}`, { alias: 'sales', name: 'Sales' })
    expect([kept.status, kept.body.alias]).toEqual([200, 'sales'])
    await service.admin.patch(`${views}/${first.id}`, { alias: null })
    expect((await service.admin.patch(`${views}/${first.id}`, { alias: 'sales' })).status).toBe(400)
    const list = await service.admin.get(`${views}/alias-blocklist`)
    expect(list.body).toMatchObject({ alias_blocklist: [{ id: blocked.body.id, value: 'sales' }], total: 1 })
    const renamed = await service.admin.patch(`${views}/alias-blocklist/${blocked.body.id}`, { value: 'buying' })
    expect(renamed.body).toMatchObject({ value: 'buying', version: 2 })
    expect((await service.admin.patch(`${views}/${first.id}`, { alias: 'sales' })).status).toBe(200)
    expect((await service.admin.del(`${views}/alias-blocklist/${blocked.body.id}`)).status).toBe(200)
  })

  test('a deleted item is named, and its view stays', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Old press' })
    const { id, short_code } = await made({ items: [{ id: item.id }, { id: items.mail }] })
    await service.admin.del(`/admin/hierarchy/items/${item.id}`)
    const missing_items = [{ id: item.id, name: 'Old press' }]
    const { body } = await service.admin.get(`${views}/${id}`)
    expect(body).toMatchObject({ missing_items, items: [{ id: items.mail }] })
    const { body: shown } = await until(
      () => anyone().get(`/views/${short_code}`),
      ({ body }) => body.missing_items?.length === 1,
    )
    expect(shown).toMatchObject({ missing_items, items: [{ id: items.mail, name: 'Mail' }] })
  })

  test('a view without any item left does not say that all is well', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Printer' })
    const { short_code } = await made({ items: [{ id: item.id }] })
    await service.admin.post('/admin/incidents', {
      title: 'Jam',
      status: 'major_outage',
      affected_items: [{ id: item.id }],
    })
    await service.admin.del(`/admin/hierarchy/items/${item.id}?archive=true`)
    const { body } = await until(
      () => anyone().get(`/views/${short_code}/data`),
      ({ body }) => body.items.length === 0,
    )
    expect(body.status).toEqual({ key: 'unknown', name: 'unknown', sentence: 'This view has no components any more.' })
    const page = await until(
      async () => (await fetch(`${service.url}/v/${short_code}`)).text(),
      (text) => text.includes('This view has no components any more.'),
    )
    expect(page).not.toContain('All systems are operational')
  })

  test('a view speaks of what it shows, while the page has an outage elsewhere', async () => {
    const { short_code } = await made()
    const report = { title: 'Mail is down', status: 'major_outage', affected_items: [{ id: items.mail }] }
    const { body: outage } = await service.admin.post('/admin/incidents', report)
    const { body } = await anyone().get(`/views/${short_code}/data`)
    expect(body.status.sentence).toBe('All systems shown here are operational.')
    const page = await (await fetch(`${service.url}/v/${short_code}`)).text()
    expect(page).toContain('All systems shown here are operational.')
    await service.admin.post(`/admin/incidents/${outage.id}/resolve`)
  })

  test('addresses of people are for administrators', async () => {
    const { id } = await made({ access_mode: 'allowed_emails', allowed_emails: ['Kim@Example.com'] })
    const viewer = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
    const { status, body } = await viewer.get(`${views}/${id}`)
    expect(status).toBe(200)
    expect(JSON.stringify(body).toLowerCase()).not.toContain('kim@example.com')
    expect((await service.admin.get(`${views}/${id}`)).body.allowed_emails).toEqual(['kim@example.com'])
  })
})

describe('what a view shows', () => {
  let codes: Record<'shop' | 'shopAlone' | 'mail', string>
  const secrets = { shop: ['Mail'], shopAlone: ['Mail', 'Cart'], mail: ['Shop', 'Cart'] }

  beforeAll(async () => {
    const { admin } = service
    const { shop, cart, mail } = items
    codes = {
      shop: (await made()).short_code,
      shopAlone: (await made({ include_descendants: false })).short_code,
      mail: (await made({ name: 'Post', items: [{ id: mail }] })).short_code,
    }
    const on = (...ids: number[]) => ({ affected_items: ids.map((id) => ({ id })), status: 'partial_outage' })
    const both = { title: 'Both down', affected_items_freetext: 'Mail of the office', ...on(cart, mail) }
    for (const body of [
      { title: 'Incident in the list of Cart', ...on(cart) },
      { title: 'Incident in the post', ...on(mail) },
      both,
      { title: 'No item' },
    ]) {
      expect((await admin.post('/admin/incidents', body)).body.message).toBeUndefined()
    }
    const start = new Date(Date.now() + 3_600_000).toISOString()
    const planned = { scheduled_start_time: start, scheduled_end_time: new Date(Date.now() + 7_200_000).toISOString() }
    for (const [title, ids] of [
      ['Work on the post', [mail]],
      ['Work on all', [shop, mail]],
    ] as const) {
      const { status } = await admin.post('/admin/maintenances', {
        title,
        ...planned,
        ...on(...ids),
        status: undefined,
      })
      expect(status).toBe(201)
    }
  })

  const titles = (records: { title: string }[]) => records.map(({ title }) => title).sort()
  /** The data of the view once the last change is in it. */
  const dataOf = async (code: string) =>
    (
      await until(
        () => anyone().get(`/views/${code}/data`),
        ({ body }) => body.maintenances.upcoming.length > 0,
      )
    ).body

  test('an item with everything below', async () => {
    const body = await dataOf(codes.shop)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Cart'])
    expect(titles(body.incidents)).toEqual(['Both down', 'Incident in the list of Cart'])
    expect(titles(body.maintenances.upcoming)).toEqual(['Work on all'])
    expect(body.maintenances.upcoming[0].affected_items).toMatchObject([{ id: items.shop }])
    expect(body.status).toMatchObject({ key: 'partial_outage' })
    expect(body.incidents[0].affected_items).toHaveLength(1)
    expect(body.view).toMatchObject({ name: 'Shops', items: [{ id: items.shop }] })
  })

  test('an item alone', async () => {
    const body = await dataOf(codes.shopAlone)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Shop'])
    expect(titles(body.incidents)).toEqual([])
  })

  test.each(['shop', 'shopAlone', 'mail'] as const)('nothing outside the view %s, over any door', async (name) => {
    await dataOf(codes[name])
    for (const path of [
      `/api/v1/views/${codes[name]}`,
      `/api/v1/views/${codes[name]}/data`,
      `/v/${codes[name]}`,
      `/v/${codes[name]}/feed.rss`,
      `/v/${codes[name]}/feed.atom`,
      `/v/${codes[name]}/calendar.ics`,
    ]) {
      const answer = await fetch(service.url + path)
      const text = await answer.text()
      expect([path, answer.status]).toEqual([path, 200])
      for (const secret of [...secrets[name], 'No item', 'the office']) {
        expect([path, secret, new RegExp(`\\b${secret}\\b`).test(text)]).toEqual([path, secret, false])
      }
    }
  })

  test.each(['%00', 'a%00b', '%ff', '..%2f', 'x'.repeat(300), '%F0%9F%98%80', 'a b'])('%s is no view', async (code) => {
    for (const path of [`/v/${code}`, `/v/${code}/feed.rss`, `/v/${code}/calendar.ics`, `/api/v1/views/${code}/data`]) {
      const { status } = await fetch(service.url + path)
      expect([path, status === 400 || status === 404]).toEqual([path, true])
    }
    const { status } = await anyone().post(`/views/${code}/access-requests`, { email: 'a@example.com' })
    expect([400, 404]).toContain(status)
  })

  test('a disabled or expired view is a 404 for readers', async () => {
    const { id, short_code } = await made({ alias: 'ends' })
    for (const change of [{ enabled: false }, { enabled: true, expires_at: '2001-01-01T00:00:00Z' }]) {
      await service.admin.patch(`${views}/${id}`, change)
      for (const path of ['/api/v1/views/ends', `/api/v1/views/${short_code}/data`, '/v/ends']) {
        await until(
          async () => (await fetch(service.url + path)).status,
          (status) => status === 404,
        )
      }
    }
    const { status } = await anyone().post(`/views/${short_code}/access-requests`, { email: 'a@example.com' })
    expect(status).toBe(404)
  })
})
