import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

let service: TestService
const items: number[] = []
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
  for (const name of ['One', 'Two']) items.push((await service.admin.post('/admin/hierarchy/items', { name })).body.id)
})
afterAll(() => service.close())

const path = '/admin/incidents'
const report = async (more: object = {}) => (await service.admin.post(path, { title: 'Down', ...more })).body
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const itemStatus = async (index: number) =>
  (await service.admin.get(`/admin/hierarchy/items/${items[index]}`)).body.status
const names = (list: { name: string }[]) => list.map((item) => item.name)

test('a change names only changed fields, and null clears a field', async () => {
  const { id } = await report({ impact: 'Some', description: 'D', affected_items_freetext: 'All of Asia' })
  const { status, body } = await service.admin.patch(`${path}/${id}`, { title: 'Slow', impact: null })
  expect(status).toBe(200)
  expect(body).toMatchObject({ title: 'Slow', description: 'D', affected_items_freetext: 'All of Asia', version: 2 })
  expect(body).not.toHaveProperty('impact')
})

test('a stale change is refused, one without a version is applied to the newest', async () => {
  const { id } = await report()
  await service.admin.patch(`${path}/${id}`, { title: 'A', version: 1 })
  const stale = await service.admin.patch(`${path}/${id}`, { title: 'B', version: 1 })
  expect([stale.status, stale.body.code, stale.body.current_version]).toEqual([409, 'version_conflict', 2])
  expect((await service.admin.patch(`${path}/${id}`, { title: 'C' })).body).toMatchObject({ title: 'C', version: 3 })
})

test('the affected items are replaced, and items follow', async () => {
  const { id } = await report({ affected_items: [{ id: items[0] }] })
  expect([await itemStatus(0), await itemStatus(1)]).toEqual(['degraded', 'operational'])
  const { body } = await service.admin.patch(`${path}/${id}`, { affected_items: [{ id: items[1] }] })
  expect(names(body.affected_items)).toEqual(['Two'])
  expect([await itemStatus(0), await itemStatus(1)]).toEqual(['operational', 'degraded'])
  await service.admin.patch(`${path}/${id}`, { status: 'major_outage' })
  expect(await itemStatus(1)).toBe('major_outage')
  await service.admin.patch(`${path}/${id}`, { status: 'resolved' })
  expect(await itemStatus(1)).toBe('operational')
  expect((await read(id)).updates[0]).toMatchObject({ is_resolution: true, previous_status: 'major_outage' })
})

test('a resolved incident keeps its status until it is reopened', async () => {
  const { id } = await report()
  await service.admin.post(`${path}/${id}/resolve`)
  const refused = await service.admin.patch(`${path}/${id}`, { status: 'degraded' })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await service.admin.patch(`${path}/${id}`, { title: 'Was down', status: 'resolved' })).status).toBe(200)
})

test('reminders count from a change of the interval, and what was due before is written first', async () => {
  service.now = start
  const { id } = await report({ reminder_interval_minutes: 10 })
  service.now = minutes(25)
  await service.admin.patch(`${path}/${id}`, { reminder_interval_minutes: 60 })
  const { notifications } = (
    await service.admin.get(`/admin/notifications?key=incident.reminder&subject=incident:${id}`)
  ).body
  expect(notifications).toMatchObject([{ due_at: minutes(10).toISOString(), late: true, missed: 2 }])
})

test('a new incident gets the default interval of the page, unless the request names null', async () => {
  await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: 45 })
  expect((await report()).reminder_interval_minutes).toBe(45)
  expect((await report({ reminder_interval_minutes: 5 })).reminder_interval_minutes).toBe(5)
  expect(await report({ reminder_interval_minutes: null })).not.toHaveProperty('reminder_interval_minutes')
  await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: null })
})

test('PUT by external id reports, then replaces', async () => {
  const put = (body: object) => service.admin.request('PUT', `${path}/external/alert-1`, body)
  const made = await put({ title: 'A', impact: 'Some' })
  expect(made.status).toBe(201)
  const again = await put({ title: 'B' })
  expect(again.status).toBe(200)
  expect(again.body).toMatchObject({ id: made.body.id, title: 'B', external_id: 'alert-1', version: 2 })
  expect(again.body).not.toHaveProperty('impact')
})

test('a deleted incident is gone with all it held down, and its external id is free', async () => {
  const { id } = await report({ external_id: 'gone', affected_items: [{ id: items[0] }] })
  await service.admin.post(`${path}/${id}/updates`, { message: 'M' })
  expect((await service.admin.del(`${path}/external/gone`)).status).toBe(200)
  expect((await service.admin.get(`${path}/${id}`)).status).toBe(404)
  expect(await itemStatus(0)).toBe('operational')
  expect((await service.admin.post(path, { title: 'New', external_id: 'gone' })).status).toBe(201)
  expect(service.woken).toContainEqual({ kind: 'incident', id, pageId: service.page.id })
})

test('a repeated PUT changes nothing, and the default interval stays', async () => {
  await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: 45 })
  const put = (more: object = {}) =>
    service.admin.request('PUT', `${path}/external/alert-2`, { title: 'A', chat_channel_id: 'C1', ...more })
  await put()
  expect((await put()).body).toMatchObject({ reminder_interval_minutes: 45, chat_channel_id: 'C1', version: 1 })
  expect((await put({ version: 2 })).body.current_version).toBe(1)
  expect((await put({ chat_channel_id: 'C2' })).body).toMatchObject({ chat_channel_id: 'C2', version: 2 })
  await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: null })
})
