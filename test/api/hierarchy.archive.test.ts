import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The operations on an item in the archive, and the status events of its time there. */

const at = (time: string) => new Date(`2026-11-${time}:00Z`)
const path = '/admin/hierarchy/items'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: at('19T00:00') })
})
afterAll(() => service.close())

const make = async (name: string, more: object = {}): Promise<number> =>
  (await service.admin.post(path, { name, ...more })).body.id
const archive = (id: number) => service.admin.del(`${path}/${id}?archive=true`)
const restore = (id: number) => service.admin.patch(`${path}/${id}`, { archived: false })
const down = async (id: number) => (await service.admin.get(`${path}/${id}/uptime?days=5`)).body.downtime_seconds / 3600
const course = async (id: number) =>
  (await service.admin.get(`${path}/${id}/status-events`)).body.events
    .map((event: Record<string, string>) => `${event.event_time!.slice(8, 16)} ${event.status}`)
    .reverse()
    .join(', ')
const report = async (id: number) =>
  (await service.admin.post('/admin/incidents', { title: 'X', status: 'major_outage', affected_items: [{ id }] })).body
    .id

test('an incident that ended meanwhile held the item down until then, and nothing above it', async () => {
  service.now = at('19T00:00')
  const top = await make('Top')
  const leaf = await make('Leaf', { parent_id: top })
  service.now = at('20T00:00')
  const incident = await report(leaf)
  service.now = at('20T00:30')
  await archive(leaf)
  service.now = at('20T02:00')
  await service.admin.post(`/admin/incidents/${incident}/resolve`, { resolved_at: at('20T01:00').toISOString() })
  service.now = at('22T00:00')
  expect((await restore(leaf)).body.status).toBe('operational')
  expect([await course(leaf), await down(leaf)]).toEqual(['20T00:00 major_outage, 20T01:00 operational', 1])
  expect(await course(top)).toBe('20T00:00 major_outage, 20T00:30 operational')
})

test('an incident that goes on held it down all the time', async () => {
  service.now = at('19T00:00')
  const item = await make('Open')
  service.now = at('20T00:00')
  await report(item)
  await archive(item)
  service.now = at('22T00:00')
  expect((await restore(item)).body.status).toBe('major_outage')
  expect([await course(item), await down(item)]).toEqual(['20T00:00 major_outage', 48])
})

test('a restored item was operational without impacts, and gets status events of maintenances in its archived time', async () => {
  service.now = at('19T00:00')
  const item = await make('Worked on')
  const work = { title: 'W', affected_items: [{ id: item }] }
  const { id } = (await service.admin.post('/admin/maintenances', work)).body
  await service.admin.request('PUT', `${path}/${item}/status`, {
    ...{ status: 'major_outage', reason: 'R', until: at('20T00:00').toISOString() },
  })
  await archive(item)
  // An archived item gets no status event when the status that was set by hand ends.
  service.now = at('20T06:00')
  await service.admin.post(`/admin/maintenances/${id}/start`)
  service.now = at('20T08:00')
  await service.admin.post(`/admin/maintenances/${id}/complete`)
  await service.admin.del(`${path}/${item}/status`)
  service.now = at('22T00:00')
  expect((await restore(item)).body.status).toBe('operational')
  expect(await course(item)).toBe(
    '19T00:00 major_outage, 19T00:00 operational, 20T06:00 maintenance, 20T08:00 operational',
  )
})

test('an item in the archive is neither moved nor given a status', async () => {
  const top = await make('New place')
  const item = await make('Resting', { external_id: 'resting' })
  await archive(item)
  expect(
    (await service.admin.request('PUT', `${path}/${item}/status`, { status: 'degraded', reason: 'R' })).status,
  ).toBe(409)
  const place = { depth: 2, parent_id: top }
  expect((await service.admin.post(`${path}/${item}/move`, place)).status).toBe(409)
  expect((await service.admin.patch(`${path}/${item}`, place)).status).toBe(409)
  expect((await service.admin.patch(`${path}/${item}`, { ...place, archived: false })).body).toMatchObject({
    ...place,
    archived_at: null,
  })
})

test('a PUT restores an archived item, as its description says', async () => {
  await archive(await make('Returning', { external_id: 'returning' }))
  const { body } = await service.admin.request('PUT', `${path}/external/returning`, { name: 'Returning' })
  expect(body.archived_at).toBeNull()
  const { paths } = (await service.admin.get('/openapi.json')).body
  expect(paths[`/api/v1${path}/external/{external_id}`].put.description).toContain('archive')
})
