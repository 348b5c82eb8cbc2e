import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

let service: TestService
let one: number
let two: number
let path: string
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
  one = (await service.admin.post('/admin/hierarchy/items', { name: 'One' })).body.id
  two = (await service.admin.post('/admin/hierarchy/items', { name: 'Two' })).body.id
  const report = { title: 'X', external_id: 'x', affected_items: [{ id: one }] }
  path = `/admin/incidents/${(await service.admin.post('/admin/incidents', report)).body.id}/impacts`
})
afterAll(() => service.close())

const impacts = async () => (await service.admin.get(path)).body.impacts
const statusOf = async (id: number) => (await service.admin.get(`/admin/hierarchy/items/${id}`)).body.status

test('an impact follows its incident until it has a status of its own', async () => {
  expect(await impacts()).toMatchObject([{ item_id: one, item: { name: 'One' }, status: 'degraded', end_time: null }])
  service.now = minutes(5)
  await service.admin.patch(`${path}/${one}`, { status: 'major_outage' })
  expect(await statusOf(one)).toBe('major_outage')
  await service.admin.post('/admin/incidents/external/x/updates', { message: 'M', status: 'partial_outage' })
  expect(await statusOf(one)).toBe('major_outage')
  await service.admin.patch(`${path}/${one}`, { status: null })
  expect(await statusOf(one)).toBe('partial_outage')
})

test('an impact can be added, ended and added again', async () => {
  service.now = minutes(10)
  const { status, body } = await service.admin.post(path, { item_id: two, status: 'degraded' })
  expect([status, body.item_id, body.incident_id]).toEqual([201, two, expect.any(Number)])
  expect((await service.admin.post(path, { item_id: two })).status).toBe(409)
  service.now = minutes(20)
  expect((await service.admin.del(`/admin/incidents/external/x/impacts/${two}`)).status).toBe(200)
  expect(await statusOf(two)).toBe('operational')
  expect((await service.admin.del(`${path}/${two}`)).status).toBe(404)
  service.now = minutes(30)
  await service.admin.post(path, { item_id: two, start_time: minutes(25).toISOString() })
  const times = (await impacts()).filter((impact: { item_id: number }) => impact.item_id === two)
  expect(times.map((impact: Record<string, string>) => [impact.start_time, impact.end_time])).toEqual([
    [minutes(10).toISOString(), minutes(20).toISOString()],
    [minutes(25).toISOString(), null],
  ])
})

test('an impact that begins, changes its status or ends writes one notification; an impact of the past writes none', async () => {
  const { id } = (await service.admin.post('/admin/incidents', { title: 'Y' })).body
  const own = `/admin/incidents/${id}/impacts`
  const written = async () =>
    (await service.admin.get(`/admin/notifications?subject=incident:${id}`)).body.notifications.filter(
      ({ key }: { key: string }) => key === 'incident.updated',
    ).length
  service.now = minutes(40)
  await service.admin.post(own, { item_id: two })
  expect(await written()).toBe(1)
  await service.admin.patch(`${own}/${two}`, { status: 'major_outage' })
  await service.admin.patch(`${own}/${two}`, { status: 'major_outage' })
  expect(await written()).toBe(2)
  service.now = minutes(41)
  await service.admin.del(`${own}/${two}`)
  expect(await written()).toBe(3)
  const past = { start_time: minutes(40).toISOString(), end_time: minutes(41).toISOString() }
  await service.admin.post(own, { item_id: one, ...past })
  expect(await written()).toBe(3)
  await service.admin.del(`/admin/incidents/${id}`)
  service.now = minutes(30)
})

test.each([
  ['an unknown item', { item_id: 999_999 }, 'item_id'],
  ['an unknown status', { status: 'nope' }, 'status'],
  ['a start in the future', { start_time: minutes(500).toISOString() }, 'start_time'],
  ['an end before the start', { start_time: minutes(9).toISOString(), end_time: minutes(8).toISOString() }, 'end_time'],
])('%s is refused', async (_what, change, field) => {
  await service.admin.del(`${path}/${two}`)
  const { status, body } = await service.admin.post(path, { item_id: two, ...change })
  expect([status, body.errors[0].path]).toEqual([400, field])
})

test('one that begins in a moment, by a clock that is ahead, can be ended now', async () => {
  service.now = minutes(35)
  await service.admin.post(path, { item_id: two, start_time: minutes(38).toISOString() })
  expect((await service.admin.del(`${path}/${two}`)).status).toBe(200)
  expect((await impacts()).at(-1)).toMatchObject({
    start_time: minutes(38).toISOString(),
    end_time: minutes(38).toISOString(),
  })
})

test('a resolved incident gets no more open impacts, but impacts in the past', async () => {
  service.now = minutes(40)
  await service.admin.post('/admin/incidents/external/x/resolve')
  expect((await impacts()).every((impact: { end_time: string | null }) => impact.end_time !== null)).toBe(true)
  expect((await service.admin.post(path, { item_id: two })).status).toBe(409)
  const past = { item_id: two, start_time: minutes(1).toISOString(), end_time: minutes(2).toISOString() }
  expect((await service.admin.post(path, past)).status).toBe(201)
  expect(await statusOf(two)).toBe('operational')
})

describe('an impact that has ended keeps the status that it had', () => {
  const ended = async (incident: string) => (await service.admin.get(`${incident}/impacts`)).body.impacts
  const open = async (more: object = {}) => {
    const body = { title: 'X', affected_items: [{ id: one }, { id: two }], ...more }
    return `/admin/incidents/${(await service.admin.post('/admin/incidents', body)).body.id}`
  }
  beforeEach(() => {
    service.now = minutes(60)
  })

  test.each<[string, (incident: string) => Promise<unknown>]>([
    ['a DELETE', (incident) => service.admin.del(`${incident}/impacts/${two}`)],
    [
      'an end',
      (incident) => service.admin.patch(`${incident}/impacts/${two}`, { end_time: minutes(60).toISOString() }),
    ],
    ['a PATCH of the items', (incident) => service.admin.patch(incident, { affected_items: [{ id: one }] })],
  ])('by %s, whatever the incident becomes', async (_what, end) => {
    const incident = await open({ status: 'partial_outage' })
    await end(incident)
    service.now = minutes(61)
    await service.admin.post(`${incident}/updates`, { message: 'M', status: 'degraded' })
    expect(await ended(incident)).toMatchObject([
      { item_id: one, status: 'degraded', end_time: null },
      { item_id: two, status: 'partial_outage', end_time: minutes(60).toISOString() },
    ])
    await service.admin.post(`${incident}/resolve`)
    expect((await ended(incident)).map(({ status }: { status: string }) => status)).toEqual([
      'degraded',
      'partial_outage',
    ])
    await service.admin.post(`${incident}/reopen`, { status: 'major_outage' })
    expect((await ended(incident)).map(({ status }: { status: string }) => status)).toEqual([
      ...['degraded', 'partial_outage', 'major_outage'],
    ])
    await service.admin.del(incident)
  })

  test('by an end in the past: the status that the incident had then', async () => {
    const incident = await open({ status: 'partial_outage' })
    service.now = minutes(70)
    await service.admin.post(`${incident}/updates`, { status: 'major_outage' })
    service.now = minutes(80)
    await service.admin.patch(`${incident}/impacts/${two}`, { end_time: minutes(65).toISOString() })
    expect((await ended(incident))[1]).toMatchObject({ item_id: two, status: 'partial_outage' })
    await service.admin.del(incident)
  })
})

test('external ids identify an impact, alone or together with the matching id', async () => {
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Three', external_id: 'three' })
  const { body: incident } = await service.admin.post('/admin/incidents', { title: 'X', external_id: 'refs' })
  const by = `/admin/incidents/external/refs/impacts`
  expect((await service.admin.post(by, {})).body.errors[0]).toMatchObject({ path: 'item_id' })
  const other = await service.admin.post(by, { item_id: one, item: { external_id: 'three' } })
  expect(other.body.errors).toEqual([{ path: 'item', message: `names the item ${item.id}, but item_id is ${one}` }])
  const { status, body } = await service.admin.post(by, { item_id: item.id, item: { external_id: 'three' } })
  expect([status, body.item_id, body.version]).toEqual([201, item.id, 2])
  const changed = await service.admin.patch(`${by}/external/three`, { status: 'major_outage' })
  expect([changed.status, changed.body.version]).toEqual([200, 3])
  expect((await service.admin.del(`/admin/incidents/${incident.id}/impacts/external/three`)).status).toBe(200)
  expect((await service.admin.del(`${by}/external/three`)).status).toBe(404)
  expect((await service.admin.del(`${by}/external/unknown`)).status).toBe(404)
})
