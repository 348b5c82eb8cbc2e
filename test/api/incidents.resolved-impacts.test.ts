import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** What an incident held down until it was resolved is known afterwards, and is held down again when it is reopened. */

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

let service: TestService
let one: number
let two: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
  one = (await service.admin.post('/admin/hierarchy/items', { name: 'One' })).body.id
  two = (await service.admin.post('/admin/hierarchy/items', { name: 'Two' })).body.id
})
afterAll(() => service.close())

const path = '/admin/incidents'
const report = async (more: object = {}): Promise<number> => {
  service.now = start
  return (await service.admin.post(path, { title: 'Down', affected_items: [{ id: one }], ...more })).body.id
}
const affected = (body: { affected_items: { name: string }[] }) => body.affected_items.map(({ name }) => name).sort()
const reopened = async (id: number) => {
  const { body } = await service.admin.post(`${path}/${id}/reopen`)
  await service.admin.del(`${path}/${id}`)
  return affected(body)
}

test('also where the resolution lies before the start of the impact', async () => {
  const id = await report()
  service.now = minutes(10)
  await service.admin.post(`${path}/${id}/impacts`, { item_id: two })
  service.now = minutes(20)
  const { body } = await service.admin.post(`${path}/${id}/resolve`, { resolved_at: minutes(5).toISOString() })
  expect(affected(body)).toEqual(['One', 'Two'])
  const { impacts } = (await service.admin.get(`${path}/${id}/impacts`)).body
  expect(impacts[1]).toMatchObject({ item_id: two, end_time: minutes(10).toISOString() })
  expect(await reopened(id)).toEqual(['One', 'Two'])
})

test('a reopening opens an impact that was added later with the end of the resolution', async () => {
  const id = await report()
  service.now = minutes(20)
  const { resolved_at } = (await service.admin.post(`${path}/${id}/resolve`)).body
  const past = { item_id: two, start_time: start.toISOString(), end_time: resolved_at }
  await service.admin.post(`${path}/${id}/impacts`, past)
  expect(affected((await service.admin.get(`${path}/${id}`)).body)).toEqual(['One', 'Two'])
  expect(await reopened(id)).toEqual(['One', 'Two'])
})

test.each(['PATCH', 'PUT'])('a %s that drops an item and resolves does not affect it again', async (method) => {
  const id = await report({ external_id: `drop-${method}`, affected_items: [{ id: one }, { id: two }] })
  service.now = minutes(10)
  const body = { title: 'Down', status: 'resolved', affected_items: [{ id: one }] }
  const target = method === 'PUT' ? `${path}/external/drop-PUT` : `${path}/${id}`
  const answer = await service.admin.request(method, target, body)
  expect([answer.status, affected(answer.body)]).toEqual([200, ['One']])
  expect(await reopened(id)).toEqual(['One'])
})

test('what was dropped after a reopening is forgotten by the next one', async () => {
  const id = await report({ affected_items: [{ id: one }, { id: two }] })
  await service.admin.post(`${path}/${id}/resolve`)
  await service.admin.post(`${path}/${id}/reopen`)
  await service.admin.del(`${path}/${id}/impacts/${two}`)
  expect(affected((await service.admin.post(`${path}/${id}/resolve`)).body)).toEqual(['One'])
  expect(await reopened(id)).toEqual(['One'])
})

test('its impacts show the status that the items were held at', async () => {
  const id = await report({ status: 'major_outage', affected_items: [{ id: one }] })
  await service.admin.patch(`${path}/${id}`, { status: 'partial_outage' })
  await service.admin.post(`${path}/${id}/resolve`)
  const { impacts } = (await service.admin.get(`${path}/${id}/impacts`)).body
  expect(impacts).toMatchObject([{ item_id: one, status: 'partial_outage' }])
})

test('it is reopened with the status that it had, though that is in the archive by now', async () => {
  const type = (await service.admin.post('/admin/status-types', { key: 'on_fire', name: 'On fire' })).body
  const id = await report({ status: 'on_fire' })
  await service.admin.post(`${path}/${id}/resolve`)
  expect((await service.admin.patch(`/admin/status-types/${type.id}`, { archived: true })).status).toBe(200)
  expect((await service.admin.post(`${path}/${id}/reopen`, { status: 'on_fire' })).status).toBe(400)
  const { status, body } = await service.admin.post(`${path}/${id}/reopen`)
  expect([status, body.status, body.affected_items[0]?.status]).toEqual([200, 'on_fire', 'on_fire'])
})
