import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

/** The operations on an item in the archive, and the status events of its time there. */

const at = (time: string) => new Date(`2026-11-${time}:00Z`)
const path = '/admin/hierarchy/items'

let house: House
beforeAll(async () => {
  house = await openHouse({ frozenAt: at('19T00:00') })
})
afterAll(() => house.close())

const make = async (name: string, more: object = {}): Promise<number> =>
  (await house.admin.post(path, { name, ...more })).body.id
const archive = (id: number) => house.admin.del(`${path}/${id}?archive=true`)
const restore = (id: number) => house.admin.patch(`${path}/${id}`, { archived: false })
const down = async (id: number) => (await house.admin.get(`${path}/${id}/uptime?days=5`)).body.downtime_seconds / 3600
const told = async (id: number) =>
  (await house.admin.get(`${path}/${id}/status-events`)).body.events
    .map((event: Record<string, string>) => `${event.event_time!.slice(8, 16)} ${event.status}`)
    .reverse()
    .join(', ')
const report = async (id: number) =>
  (await house.admin.post('/admin/incidents', { title: 'X', status: 'major_outage', affected_items: [{ id }] })).body.id

test('an incident that ended meanwhile held the item down until then, and nothing above it', async () => {
  house.now = at('19T00:00')
  const top = await make('Top')
  const leaf = await make('Leaf', { parent_id: top })
  house.now = at('20T00:00')
  const incident = await report(leaf)
  house.now = at('20T00:30')
  await archive(leaf)
  house.now = at('20T02:00')
  await house.admin.post(`/admin/incidents/${incident}/resolve`, { resolved_at: at('20T01:00').toISOString() })
  house.now = at('22T00:00')
  expect((await restore(leaf)).body.status).toBe('operational')
  expect([await told(leaf), await down(leaf)]).toEqual(['20T00:00 major_outage, 20T01:00 operational', 1])
  expect(await told(top)).toBe('20T00:00 major_outage, 20T00:30 operational')
})

test('an incident that goes on held it down all the time', async () => {
  house.now = at('19T00:00')
  const item = await make('Open')
  house.now = at('20T00:00')
  await report(item)
  await archive(item)
  house.now = at('22T00:00')
  expect((await restore(item)).body.status).toBe('major_outage')
  expect([await told(item), await down(item)]).toEqual(['20T00:00 major_outage', 48])
})

test('a restored item was operational without impacts, and gets status events of maintenances in its archived time', async () => {
  house.now = at('19T00:00')
  const item = await make('Worked on')
  const work = { title: 'W', affected_items: [{ id: item }] }
  const { id } = (await house.admin.post('/admin/maintenances', work)).body
  await house.admin.request('PUT', `${path}/${item}/status`, {
    ...{ status: 'major_outage', reason: 'R', until: at('20T00:00').toISOString() },
  })
  await archive(item)
  // An archived item gets no status event when the status that was set by hand ends.
  house.now = at('20T06:00')
  await house.admin.post(`/admin/maintenances/${id}/start`)
  house.now = at('20T08:00')
  await house.admin.post(`/admin/maintenances/${id}/complete`)
  await house.admin.del(`${path}/${item}/status`)
  house.now = at('22T00:00')
  expect((await restore(item)).body.status).toBe('operational')
  expect(await told(item)).toBe(
    '19T00:00 major_outage, 19T00:00 operational, 20T06:00 maintenance, 20T08:00 operational',
  )
})

test('an item in the archive is neither moved nor given a status', async () => {
  const top = await make('New place')
  const item = await make('Resting', { external_id: 'resting' })
  await archive(item)
  expect((await house.admin.request('PUT', `${path}/${item}/status`, { status: 'degraded', reason: 'R' })).status).toBe(
    409,
  )
  const place = { depth: 2, parent_id: top }
  expect((await house.admin.post(`${path}/${item}/move`, place)).status).toBe(409)
  expect((await house.admin.patch(`${path}/${item}`, place)).status).toBe(409)
  expect((await house.admin.patch(`${path}/${item}`, { ...place, archived: false })).body).toMatchObject({
    ...place,
    archived_at: null,
  })
})

test('a PUT restores an archived item, as its description says', async () => {
  await archive(await make('Returning', { external_id: 'returning' }))
  const { body } = await house.admin.request('PUT', `${path}/external/returning`, { name: 'Returning' })
  expect(body.archived_at).toBeNull()
  const { paths } = (await house.admin.get('/openapi.json')).body
  expect(paths[`/api/v1${path}/external/{external_id}`].put.description).toContain('archive')
})
