import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const report = async () => (await service.admin.post('/admin/incidents', { title: 'Down' })).body
const get = async (id: number) => (await service.admin.get(`/admin/incidents/${id}`)).body

test('a write with the current version is applied, and the version rises', async () => {
  const { id } = await report()
  for (const version of [1, 2, 3]) {
    expect((await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm', version })).status).toBe(201)
  }
  expect((await get(id)).version).toBe(4)
})

test('a write with another version changes nothing and answers the current version', async () => {
  const { id } = await report()
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm' })
  const before = [await get(id), await tracesOf(service)]
  for (const version of [1, 3]) {
    for (const [path, body] of [
      ['updates', { message: 'late' }],
      ['resolve', {}],
    ] as const) {
      const answer = await service.admin.post(`/admin/incidents/${id}/${path}`, { ...body, version })
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({ code: 'version_conflict', current_version: 2 })
    }
  }
  expect([await get(id), await tracesOf(service)]).toEqual(before)
})

test('an entry of a timeline is edited and deleted at the version of what it is about', async () => {
  const item = (await service.admin.post('/admin/hierarchy/items', { name: 'API' })).body.id
  const planned = { title: 'Work', affected_items: [{ id: item }] }
  const { id: work } = (await service.admin.post('/admin/maintenances', planned)).body
  const { id: incident } = await report()
  for (const path of [`/admin/incidents/${incident}`, `/admin/maintenances/${work}`]) {
    const entry = `${path}/updates/${(await service.admin.post(`${path}/updates`, { message: 'm' })).body.id}`
    const said = { message: 'edited' }
    expect((await service.admin.patch(entry, { ...said, version: 1 })).body.current_version).toBe(2)
    expect((await service.admin.patch(entry, { ...said, version: 2 })).status).toBe(200)
    expect((await service.admin.get(path)).body.version).toBe(3)
    expect((await service.admin.request('DELETE', entry, { version: 2 })).body.current_version).toBe(3)
    expect((await service.admin.del(`${entry}?version=2`)).body.current_version).toBe(3)
    expect((await service.admin.del(`${entry}?version=3`)).status).toBe(200)
  }
})

test('a status that was set by hand is taken back at the version of its item', async () => {
  const { id } = (await service.admin.post('/admin/hierarchy/items', { name: 'By hand' })).body
  const path = `/admin/hierarchy/items/${id}`
  await service.admin.request('PUT', `${path}/status`, { status: 'degraded', reason: 'R' })
  const { version } = (await service.admin.get(path)).body
  expect((await service.admin.del(`${path}/status?version=1`)).body.current_version).toBe(version)
  expect((await service.admin.del(`${path}/status?version=${version}`)).status).toBe(200)
})

test('an impact is ended at the version of its incident', async () => {
  const item_id = (await service.admin.post('/admin/hierarchy/items', { name: 'Held' })).body.id
  const { id } = await report()
  const path = `/admin/incidents/${id}/impacts`
  await service.admin.post(path, { item_id, version: 1 })
  expect((await service.admin.del(`${path}/${item_id}?version=1`)).body.current_version).toBe(2)
  expect((await service.admin.del(`${path}/${item_id}?version=2`)).status).toBe(200)
})

test('a write without a version is applied to the newest', async () => {
  const { id } = await report()
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'one' })
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'two' })
  expect((await service.admin.post(`/admin/incidents/${id}/resolve`)).body.version).toBe(4)
})

test('pages and tokens have versions as well', async () => {
  const { body: page } = await service.admin.get('/admin/page')
  const renamed = await service.admin.patch('/admin/page', { name: 'New', version: page.version })
  expect([renamed.status, renamed.body.version]).toEqual([200, page.version + 1])
  const stale = await service.admin.patch('/admin/page', { name: 'Old', version: page.version })
  expect([stale.status, stale.body.current_version]).toEqual([409, page.version + 1])

  const { body: token } = await service.admin.post('/admin/api-tokens', { name: 't', permission: 'read' })
  const path = `/admin/api-tokens/${token.id}`
  expect((await service.admin.patch(path, { name: 'u', version: 1 })).body.version).toBe(2)
  expect((await service.admin.patch(path, { name: 'v', version: 1 })).body.current_version).toBe(2)
  expect((await service.admin.post(`${path}/revoke`, { version: 1 })).status).toBe(409)
  expect((await service.admin.post(`${path}/revoke`, { version: 2 })).status).toBe(200)
})

test('of twenty with the same version one is applied', async () => {
  const { id } = await report()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.admin.post(`/admin/incidents/${id}/updates`, { message: `${n}`, version: 1 }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const late = answers.filter(({ status }) => status === 409)
  expect(late.map(({ body }) => body.current_version)).toEqual(Array(19).fill(2))
})

test('twenty updates at once are all applied, one after the other', async () => {
  const { id } = await report()
  const statuses = ['degraded', 'partial_outage', 'major_outage']
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.admin.post(`/admin/incidents/${id}/updates`, { message: `${n}`, status: statuses[n % 3] }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  const incident = await get(id)
  expect(incident.version).toBe(21)
  const timeline = incident.updates.toReversed()
  expect(
    timeline.map((update: { message: string }) => Number(update.message)).sort((a: number, b: number) => a - b),
  ).toEqual(Array.from({ length: 20 }, (_, n) => n))
  let last = 'degraded'
  for (const update of timeline) {
    expect(update.previous_status).toBe(last)
    last = update.status
  }
  expect(incident.status).toBe(last)
})

test('of twenty resolutions at once one resolves', async () => {
  const { id } = await report()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.admin.post(`/admin/incidents/${id}/resolve`)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const incident = await get(id)
  expect(incident.version).toBe(2)
  expect(incident.updates).toHaveLength(1)
})
