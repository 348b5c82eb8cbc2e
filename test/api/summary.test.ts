import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const at = (time: string) => new Date(`2026-03-${time}:00Z`)

let service: TestService
let items: { shop: number; search: number; cards: number }
beforeAll(async () => {
  service = await openTestService({ frozenAt: at('01T00:00') })
  const shop = await makeItem(service, 'Shop')
  const [search, cards] = [
    await makeItem(service, 'Search', { parent_id: shop }),
    await makeItem(service, 'Cards', { parent_id: shop }),
  ]
  items = { shop, search, cards }
})
afterAll(() => service.close())
let day = 1
beforeEach(() => {
  day += 1
})
const on = (time: string) => at(`${String(day).padStart(2, '0')}T${time}`)

const path = () => `/pages/public/${service.page.page_slug}/summary`

/** Changes the page, so that its snapshots are rebuilt. */
async function read(headers: Record<string, string> = {}, query = '') {
  service.services.pageChanged(service.page.id)
  return service.as(undefined).get(`${path()}${query}`, headers)
}
const statusOf = async (headers?: Record<string, string>) => (await read(headers)).body.status

async function report(status: string, time: string, ...ids: number[]): Promise<number> {
  service.now = on(time)
  const freetext = ids.length === 0 ? { affected_items_freetext: 'All of it' } : {}
  const incident = { title: 'X', status, affected_items: ids.map((id) => ({ id })), ...freetext }
  const { status: answered, body } = await service.admin.post('/admin/incidents', incident)
  expect([answered, body.errors]).toEqual([201, undefined])
  return body.id
}
async function resolve(id: number, time: string): Promise<void> {
  service.now = on(time)
  await service.admin.post(`/admin/incidents/${id}/resolve`)
}

test('a new page is operational, and never had another status', async () => {
  const { body, status } = await read()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    page: { name: 'First', page_slug: service.page.page_slug, visibility: 'public' },
    status: { key: 'operational', name: 'Operational', sentence: 'All systems are operational.', since: null },
    ...{ incidents: [], maintenances: { active: [], upcoming: [] }, generated_at: service.now.toISOString() },
  })
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Search', 'Cards'])
})

test('an open incident, with its timeline, gives its status, and the page is operational since its end', async () => {
  const id = await report('partial_outage', '10:00', items.search)
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We are on it.' })
  service.now = on('11:00')
  const { body } = await read()
  expect(body.status).toEqual({
    ...{ key: 'partial_outage', name: 'Partial outage', since: on('10:00').toISOString() },
    sentence: 'Partial outage of Search.',
  })
  expect(body.incidents).toMatchObject([{ id, affected_items: [{ id: items.search }] }])
  expect(body.incidents[0].updates[0]).toMatchObject({ message: 'We are on it.' })
  expect(body.items[1]).toMatchObject({ id: items.search, status: 'partial_outage', parent_id: items.shop })
  await resolve(id, '12:00')
  service.now = on('13:00')
  expect(await statusOf()).toMatchObject({ key: 'operational', since: on('12:00').toISOString() })
})

test('after the end of a worse status, the milder one lasts since that end', async () => {
  const mild = await report('degraded', '08:00', items.cards)
  const bad = await report('major_outage', '09:00', items.search)
  expect(await statusOf()).toMatchObject({ key: 'major_outage', since: on('09:00').toISOString() })
  await resolve(bad, '10:00')
  expect(await statusOf()).toMatchObject({ key: 'degraded', since: on('10:00').toISOString() })
  await resolve(mild, '10:30')
})

test('an incident without items counts, and its end too', async () => {
  const id = await report('major_outage', '08:00')
  expect(await statusOf()).toMatchObject({
    ...{ key: 'major_outage', sentence: 'Major outage.', since: on('08:00').toISOString() },
  })
  await resolve(id, '09:00')
  expect(await statusOf()).toMatchObject({ key: 'operational', since: on('09:00').toISOString() })
})

test('maintenances in progress and to come', async () => {
  service.now = on('08:00')
  const times = { scheduled_start_time: on('08:30').toISOString(), scheduled_end_time: on('09:30').toISOString() }
  const plan = { title: 'Upgrade', affected_items: [{ id: items.cards }], ...times }
  const { id } = (await service.admin.post('/admin/maintenances', plan)).body
  const before = (await read()).body
  expect([before.status.key, before.maintenances.upcoming[0].id]).toEqual(['operational', id])
  service.now = on('08:30')
  await service.admin.post(`/admin/maintenances/${id}/start`)
  const { body } = await read()
  expect(body.status).toEqual({
    ...{ key: 'maintenance', name: 'Maintenance', sentence: 'Maintenance of Cards.', since: on('08:30').toISOString() },
  })
  expect(body.maintenances).toMatchObject({ active: [{ id }], upcoming: [] })
  await service.admin.post(`/admin/maintenances/${id}/complete`)
})

test('the sentence is in the language of the answer', async () => {
  const id = await report('major_outage', '08:00', items.search)
  await service.admin.patch('/admin/settings', {
    ...{ multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'de'] },
  })
  const german = { locale: 'de', values: { title: 'Suche aus' }, state: 'published' }
  await service.admin.patch(`/admin/incidents/${id}`, { translations: [german] })
  const { body, headers } = await read({ 'Accept-Language': 'de-AT' })
  expect(headers.get('content-language')).toBe('de')
  expect(body.status).toMatchObject({ name: 'Größerer Ausfall', sentence: 'Größerer Ausfall bei Search.' })
  expect(body.incidents[0].title).toBe('Suche aus')
  expect((await read({}, '?locale=en')).body.status.sentence).toBe('Major outage of Search.')
  const japanese = { multilingual_enabled: false, supported_locales: [], document_locale: 'ja' }
  expect((await service.admin.patch('/admin/settings', japanese)).body.errors).toBeUndefined()
  expect((await statusOf()).sentence).toBe('Search：大規模障害。')
  await service.admin.patch('/admin/settings', { document_locale: 'en' })
  await resolve(id, '09:00')
})

test('the answer and its ETag stay until something else than the time changes', async () => {
  const first = await read()
  service.now = on('20:00')
  const again = await read({ 'If-None-Match': first.headers.get('etag')! })
  expect([again.status, again.headers.get('etag')]).toEqual([304, first.headers.get('etag')])
  expect((await read()).body.generated_at).toBe(first.body.generated_at)
  await makeItem(service, 'New')
  const changed = await read()
  expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'))
  expect(changed.body.generated_at).toBe(on('20:00').toISOString())
})

test('a public read: CORS, HEAD, and nothing of a private page for strangers', async () => {
  const { headers } = await read()
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const head = await service.as(undefined).request('HEAD', path())
  expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')])
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect((await read()).status).toBe(404)
  expect((await service.admin.get(path())).status).toBe(200)
  expect((await service.otherAdmin.get(path())).status).toBe(404)
  await service.admin.patch('/admin/page', { visibility: 'public' })
})
