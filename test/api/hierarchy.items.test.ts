import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/hierarchy/items'
const make = async (name: string, more: object = {}) => (await service.admin.post(path, { name, ...more })).body
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body

test('an item is created with all its fields', async () => {
  const top = await make('Shop')
  const said = {
    name: 'Zahlung & Co',
    parent_id: top.id,
    abbreviated_name: 'Z',
    description: 'Pays.',
    external_id: 'pay-1',
    display_order: 7,
    metadata: { team: 'blue', deep: [1, { two: null }] },
    start_date: '2026-01-01T00:00:00.000Z',
  }
  const { status, body } = await service.admin.post(path, said)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...said,
    slug: 'zahlung-co',
    depth: 2,
    hierarchy_path: 'Shop / Zahlung & Co',
    status: 'operational',
  })
  expect((await service.admin.get(`${path}/external/pay-1`)).body).toEqual(body)
})

test('a change names only changed fields, and null clears a field', async () => {
  const item = await make('Search', { description: 'Finds.', abbreviated_name: 'S' })
  const { body } = await service.admin.patch(`${path}/${item.id}`, { name: 'Find', description: null })
  expect(body).toMatchObject({ name: 'Find', slug: 'search', abbreviated_name: 'S', version: 2 })
  expect(body).not.toHaveProperty('description')
  expect((await service.admin.patch(`${path}/${item.id}`, { slug: 'shop' })).status).toBe(409)
  expect((await service.admin.patch(`${path}/${item.id}`, { external_id: 'pay-1' })).body.code).toBe(
    'external_id_conflict',
  )
  expect((await service.admin.patch(`${path}/${item.id}`, { name: 'X', version: 1 })).body.current_version).toBe(2)
})

test('PUT by external id creates, then replaces', async () => {
  const made = await service.admin.request('PUT', `${path}/external/mail`, { name: 'Mail', description: 'Sends.' })
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${path}/external/mail`])
  const again = await service.admin.request('PUT', `${path}/external/mail`, { name: 'Post', external_id: 'mail' })
  expect(again.status).toBe(200)
  expect(again.body).toMatchObject({ id: made.body.id, name: 'Post', slug: 'mail' })
  expect(again.body).not.toHaveProperty('description')
  const other = await service.admin.request('PUT', `${path}/external/mail`, { name: 'X', external_id: 'other' })
  expect([other.status, other.body.errors[0].path]).toEqual([400, 'external_id'])
})

test('lists are filtered', async () => {
  const top = await make('Filters')
  await make('Alpha 100%', { parent_id: top.id })
  await make('Beta', { parent_id: top.id })
  const names = async (query: string) =>
    (await service.admin.get(`${path}?${query}`)).body.items.map((item: { name: string }) => item.name)
  expect(await names(`parent_id=${top.id}`)).toEqual(['Alpha 100%', 'Beta'])
  expect(await names(`parent_id=${top.id}&search=ALPHA`)).toEqual(['Alpha 100%'])
  expect(await names(`parent_id=${top.id}&search=0%25`)).toEqual(['Alpha 100%'])
  expect(await names(`parent_id=${top.id}&search=%25`)).toEqual(['Alpha 100%'])
  expect(await names('depth=1&search=filters')).toEqual(['Filters'])
})

test('an item with children or a past is archived rather than deleted, and can come back', async () => {
  const top = await make('Old')
  const below = await make('Older', { parent_id: top.id })
  expect((await service.admin.del(`${path}/${top.id}`)).status).toBe(409)
  expect((await service.admin.request('DELETE', `${path}/${top.id}`, { archive: true })).status).toBe(409)
  await service.admin.post('/admin/incidents', { title: 'X', affected_items: [{ id: below.id }] })
  expect((await service.admin.del(`${path}/${below.id}`)).body.error).toContain('archive')
  expect((await read(top.id)).status).toBe('degraded')

  expect((await service.admin.del(`${path}/${below.id}?archive=true`)).status).toBe(200)
  expect((await read(below.id)).archived_at).not.toBeNull()
  expect((await read(top.id)).status).toBe('operational')
  const listed = (await service.admin.get(`${path}?parent_id=${top.id}`)).body
  expect(listed.total).toBe(0)
  expect((await service.as(undefined).get('/pages/public/first/components')).body.components).not.toContainEqual(
    expect.objectContaining({ id: below.id }),
  )
  const refused = await service.admin.post('/admin/incidents', { title: 'Y', affected_items: [{ id: below.id }] })
  expect(refused.body.errors[0].path).toBe('affected_items.0')

  await service.admin.patch(`${path}/${below.id}`, { archived: false })
  expect((await read(top.id)).status).toBe('degraded')
})

test('an item that nothing refers to is deleted, and its external id is free', async () => {
  const item = await make('Gone', { external_id: 'gone' })
  expect((await service.admin.del(`${path}/${item.id}`)).status).toBe(200)
  expect((await service.admin.get(`${path}/${item.id}`)).status).toBe(404)
  expect((await service.admin.post(path, { name: 'Back', external_id: 'gone' })).status).toBe(201)
})

test('a parent whose children are in the archive may follow them, and they come back only below a live one', async () => {
  const top = await make('Attic')
  const below = await make('Box', { parent_id: top.id })
  for (const id of [below.id, top.id]) expect((await service.admin.del(`${path}/${id}?archive=true`)).status).toBe(200)
  expect((await service.admin.patch(`${path}/${below.id}`, { archived: false })).status).toBe(400)
  expect((await service.admin.post(path, { name: 'New', parent_id: top.id })).status).toBe(400)
  await service.admin.patch(`${path}/${top.id}`, { archived: false })
  expect((await service.admin.patch(`${path}/${below.id}`, { archived: false })).status).toBe(200)
})

test('a stale PUT or delete is refused', async () => {
  const put = (body: object) => service.admin.request('PUT', `${path}/external/stale`, { name: 'Stale', ...body })
  const { id } = (await put({})).body
  await put({ name: 'Newer' })
  expect((await put({ version: 1 })).body.current_version).toBe(2)
  expect((await service.admin.del(`${path}/${id}?version=1`)).body.current_version).toBe(2)
  expect((await service.admin.request('DELETE', `${path}/${id}`, { version: 2 })).status).toBe(200)
})

test('a list is of full records unless it is to be compact', async () => {
  const top = await make('Views')
  const below = await make('View', {
    parent_id: top.id,
    description: 'D',
    metadata: { team: 'blue' },
    abbreviated_name: 'V',
  })
  const listed = async (query: string) => (await service.admin.get(`${path}?parent_id=${top.id}${query}`)).body.items
  for (const query of ['', '&view=full']) expect(await listed(query)).toEqual([below])
  const { description: _description, metadata: _metadata, translations: _translations, ...compact } = below
  expect(await listed('&view=compact')).toEqual([compact])
})

test('status events are a past, too, whatever caused them', async () => {
  const item = await make('By hand')
  await service.admin.request('PUT', `${path}/${item.id}/status`, { status: 'degraded', reason: 'R' })
  await service.admin.del(`${path}/${item.id}/status`)
  const refused = await service.admin.del(`${path}/${item.id}`)
  expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('status events')])
  expect((await service.admin.get(`${path}/${item.id}/status-events`)).body.count).toBe(2)
  expect((await service.admin.del(`${path}/${item.id}?archive=true`)).status).toBe(200)
})

test('an item that much refers to is not deleted, and the refusal lists what refers to it', async () => {
  const item = await make('Busy')
  const affected_items = [{ id: item.id }]
  await service.admin.post('/admin/incidents', { title: 'Down', status: 'degraded', affected_items })
  const [scheduled_start_time, scheduled_end_time] = ['2100-01-01T00:00:00Z', '2100-01-01T01:00:00Z']
  const planned = { title: 'Work', affected_items, scheduled_start_time, scheduled_end_time }
  expect((await service.admin.post('/admin/maintenances', planned)).status).toBe(201)
  expect((await service.admin.del(`${path}/${item.id}`)).body.error).toContain(
    'is referred to by incidents, maintenances and status events: archive the item instead.',
  )
})

test('the answer to a new name is its path, too', async () => {
  const top = await make('Before', { external_id: 'renamed' })
  const below = await make('Leaf', { parent_id: top.id })
  expect((await service.admin.patch(`${path}/${top.id}`, { name: 'After' })).body.hierarchy_path).toBe('After')
  const put = await service.admin.request('PUT', `${path}/external/renamed`, { name: 'Again' })
  expect(put.body.hierarchy_path).toBe('Again')
  expect((await read(below.id)).hierarchy_path).toBe('Again / Leaf')
})

test('a new item goes to the end of its siblings, and so does one that moves', async () => {
  const top = await make('Ordered')
  const other = await make('Other')
  const first = await make('One', { parent_id: top.id, display_order: 40 })
  const second = await make('Two', { parent_id: top.id })
  expect(second.display_order).toBe(41)
  await service.admin.del(`${path}/${first.id}`)
  expect((await make('Three', { parent_id: top.id })).display_order).toBe(42)
  const comes = await make('Four', { parent_id: other.id })
  const move = (body: object) => service.admin.post(`${path}/${comes.id}/move`, body)
  expect((await move({ depth: 2, parent_id: top.id })).body.display_order).toBe(43)
  const back = await service.admin.patch(`${path}/${comes.id}`, { parent_id: other.id, display_order: 5 })
  expect(back.body.display_order).toBe(5)
  expect((await service.admin.patch(`${path}/${comes.id}`, { parent_id: top.id })).body.display_order).toBe(43)
})

test('a request without a change raises no version and writes no audit row', async () => {
  const said = { name: 'Still', metadata: { a: 1, b: { c: 2, d: 3 } }, start_date: '2026-01-01T00:00:00.000Z' }
  const item = await make('Still', { ...said, external_id: 'still' })
  const rows = async () => (await service.admin.get('/admin/audit-events?limit=1')).body.total
  const before = await rows()
  const same = { ...said, metadata: { b: { d: 3, c: 2 }, a: 1 }, start_date: '2026-01-01T01:00:00+01:00' }
  expect((await service.admin.patch(`${path}/${item.id}`)).body).toEqual(item)
  expect((await service.admin.patch(`${path}/${item.id}`, { ...same, depth: 1, parent_id: null })).body).toEqual(item)
  expect((await service.admin.request('PUT', `${path}/external/still`, same)).body).toEqual(item)
  expect((await service.admin.post(`${path}/${item.id}/move`, { depth: 1 })).body).toEqual(item)
  expect(await rows()).toBe(before)
  expect((await service.admin.patch(`${path}/${item.id}`, { metadata: { a: 2 } })).body.version).toBe(2)
})
