import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { StatusType } from '../../src/persistence/entities/status-type.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/status-types'
const keys = async () => (await service.admin.get(path)).body.status_types.map((type: { key: string }) => type.key)
const idOf = async (key: string): Promise<number> =>
  (await service.admin.get(path)).body.status_types.find((type: { key: string }) => type.key === key).id

test('a new page has the default types, mildest first, with their weights', async () => {
  const { body } = await service.admin.get(path)
  expect(body.status_types.map((t: { key: string; uptime_weight: number }) => [t.key, t.uptime_weight])).toEqual([
    ['operational', 0],
    ['maintenance', 1],
    ['degraded', 0],
    ['partial_outage', 1],
    ['major_outage', 1],
  ])
})

test('a type is changed, its key stays', async () => {
  const id = await idOf('degraded')
  expect((await service.admin.patch(`${path}/${id}`, { key: 'other' })).body.errors[0].path).toBe('key')
  const { status, body } = await service.admin.patch(`${path}/${id}`, {
    name: 'Slow',
    color: '#112233',
    key: 'degraded',
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ key: 'degraded', name: 'Slow', color: '#112233', version: 2 })
  expect((await service.admin.patch(`${path}/${id}`, { name: 'Late', version: 1 })).body.current_version).toBe(2)
})

test.each([
  ['resolved', 400],
  ['Upper', 400],
  ['degraded', 409],
])('the key %s is refused with %i', async (key, status) => {
  expect((await service.admin.post(path, { key, name: 'X' })).status).toBe(status)
})

test('an archived type is offered no more', async () => {
  const id = await idOf('partial_outage')
  await service.admin.patch(`${path}/${id}`, { archived: true })
  const { status, body } = await service.admin.post('/admin/incidents', { title: 'X', status: 'partial_outage' })
  expect([status, body.errors[0].path]).toEqual([400, 'status'])
  await service.admin.post(`${path}/defaults`)
  expect((await service.admin.post('/admin/incidents', { title: 'X', status: 'partial_outage' })).status).toBe(201)
})

test('what the service itself gives can neither be archived nor deleted', async () => {
  for (const key of ['operational', 'maintenance']) {
    const id = await idOf(key)
    expect((await service.admin.patch(`${path}/${id}`, { archived: true })).status).toBe(409)
    expect((await service.admin.del(`${path}/${id}`)).status).toBe(409)
  }
})

test('a used type is not deleted, an unused one is, and the defaults bring it back in its place', async () => {
  await service.admin.post('/admin/incidents', { title: 'X', status: 'major_outage' })
  expect((await service.admin.del(`${path}/${await idOf('major_outage')}`)).status).toBe(409)
  const before = await keys()
  await service.admin.post(path, { key: 'on_fire', name: 'On fire' })
  expect((await service.admin.del(`${path}/${await idOf('on_fire')}`)).status).toBe(200)
  expect(await keys()).toEqual(before)
})

test('reordering changes the severity, and with it the statuses of items', async () => {
  const item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body
  for (const status of ['degraded', 'major_outage']) {
    await service.admin.post('/admin/incidents', { title: status, status, affected_items: [{ id: item.id }] })
  }
  const statusOf = async () => (await service.admin.get(`/admin/hierarchy/items/${item.id}`)).body.status
  expect(await statusOf()).toBe('major_outage')
  const order = ['operational', 'maintenance', 'partial_outage', 'major_outage', 'degraded']
  const ids = await Promise.all(order.map(idOf))
  const { status } = await service.admin.request('PUT', `${path}/reorder`, { ids })
  expect(status).toBe(200)
  expect(await keys()).toEqual(order)
  expect(await statusOf()).toBe('degraded')
})

test.each([
  ['one is missing', (ids: number[]) => ids.slice(1)],
  ['one is named twice', (ids: number[]) => [...ids.slice(1), ids[1]!]],
  ['one is unknown', (ids: number[]) => [...ids.slice(1), 999_999]],
  ['the operational one is not first', (ids: number[]) => ids.toReversed()],
])('an order is refused when %s', async (_why, change) => {
  const ids = (await service.admin.get(path)).body.status_types.map((type: { id: number }) => type.id)
  expect((await service.admin.request('PUT', `${path}/reorder`, { ids: change(ids) })).status).toBe(400)
})

test('the same words are no change of a status type', async () => {
  const [type] = (await service.admin.get('/admin/status-types')).body.status_types
  const rows = async () => (await service.admin.get('/admin/audit-events?limit=1')).body.total
  const before = await rows()
  expect((await service.admin.patch(`/admin/status-types/${type.id}`)).body).toEqual(type)
  expect((await service.admin.patch(`/admin/status-types/${type.id}`, { name: type.name })).body).toEqual(type)
  expect(await rows()).toBe(before)
})

test('an icon is one of the shapes that the page draws', async () => {
  const id = await idOf('degraded')
  const message = 'must be one of "", "check", "wrench", "minus", "alert", "cross", "dot"'
  for (const refused of [
    await service.admin.post(path, { key: 'odd', name: 'Odd', icon: 'warning' }),
    await service.admin.patch(`${path}/${id}`, { icon: 'warning' }),
  ])
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: 'icon', message }]])
  expect((await service.admin.patch(`${path}/${id}`, { icon: 'alert' })).body.icon).toBe('alert')
  expect((await service.admin.patch(`${path}/${id}`, { icon: null })).body.icon).toBe('')
})

test('an icon that an earlier version stored is read as none, and what was read may be sent back', async () => {
  const id = await idOf('degraded')
  const { id: page } = service.page
  await inPageTransaction(service.services.app, page, (tx) => tx.nativeUpdate(StatusType, { id }, { icon: 'warning' }))
  const { body } = await service.admin.get(`${path}/${id}`)
  expect(body.icon).toBe('')
  expect((await service.admin.patch(`${path}/${id}`, body)).status).toBe(200)
  expect((await service.as(undefined).get('//')).status).toBe(200)
})
