import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService()
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body.id
})
afterAll(() => service.close())

const path = '/admin/incidents'
const report = async (more: object = {}): Promise<number> =>
  (await service.admin.post(path, { title: 'Down', ...more })).body.id
const itemStatus = async () => (await service.admin.get(`/admin/hierarchy/items/${item}`)).body.status

test('a reopened incident is as it was before it was resolved, and holds down what it held down', async () => {
  const id = await report({ status: 'major_outage', affected_items: [{ id: item }] })
  await service.admin.post(`${path}/${id}/resolve`)
  expect(await itemStatus()).toBe('operational')
  const { status, body } = await service.admin.post(`${path}/${id}/reopen`, { message: 'It is back.' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'major_outage', resolved_at: null, lifecycle_stage: { name: 'Investigating' } })
  expect(body.updates[0]).toMatchObject({ message: 'It is back.', previous_status: 'resolved', is_resolution: false })
  expect(body.affected_items).toHaveLength(1)
  expect(await itemStatus()).toBe('major_outage')
  await service.admin.post(`${path}/${id}/resolve`)
  expect(await itemStatus()).toBe('operational')
})

test('an item with two impacts until the resolution gets one open impact', async () => {
  const id = await report({ affected_items: [{ id: item }], started_at: '2026-01-01T00:00:00Z' })
  const { resolved_at } = (await service.admin.post(`${path}/${id}/resolve`)).body
  const stretch = { item_id: item, start_time: '2026-01-01T00:00:00Z', end_time: resolved_at }
  expect((await service.admin.post(`${path}/${id}/impacts`, stretch)).status).toBe(201)
  expect((await service.admin.post(`${path}/${id}/reopen`)).body).toMatchObject({ affected_items: [{ id: item }] })
  await service.admin.del(`${path}/${id}`)
})

test('opening an open one answers what is stored', async () => {
  const id = await report()
  const { status, body } = await service.admin.post(`${path}/${id}/reopen`)
  expect([status, body.version]).toEqual([200, 1])
})

test('the policy may keep resolved incidents closed', async () => {
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: false })
  const id = await report()
  await service.admin.post(`${path}/${id}/resolve`)
  expect((await service.admin.post(`${path}/${id}/reopen`)).status).toBe(409)
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: true })
})

test('acknowledging is done once, and the policy may ask for it before updates', async () => {
  const id = await report()
  await service.admin.patch('/admin/settings', { require_incident_ack_before_updates: true })
  expect((await service.admin.post(`${path}/${id}/updates`, { message: 'M' })).status).toBe(409)
  const first = (await service.admin.post(`${path}/${id}/acknowledge`)).body
  expect(first.acknowledged_at).not.toBeNull()
  expect((await service.admin.post(`${path}/${id}/acknowledge`)).body.acknowledged_at).toBe(first.acknowledged_at)
  expect((await service.admin.post(`${path}/${id}/updates`, { message: 'M' })).status).toBe(201)
  await service.admin.patch('/admin/settings', { require_incident_ack_before_updates: false })
})

test('the policy may ask for a reason to resolve', async () => {
  const id = await report()
  await service.admin.patch('/admin/settings', { require_resolution_reason: true })
  const { status, body } = await service.admin.post(`${path}/${id}/resolve`, { resolution_message: ' ' })
  expect([status, body.errors[0].path]).toEqual([400, 'resolution_message'])
  expect((await service.admin.patch(`${path}/${id}`, { status: 'resolved' })).status).toBe(400)
  expect((await service.admin.post(`${path}/${id}/resolve`, { resolution_message: 'Fixed.' })).status).toBe(200)
  await service.admin.patch('/admin/settings', { require_resolution_reason: false })
})
