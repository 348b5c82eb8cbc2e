import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

let house: House
let one: number
let two: number
let path: string
beforeAll(async () => {
  house = await openHouse({ frozenAt: start })
  one = (await house.admin.post('/admin/hierarchy/items', { name: 'One' })).body.id
  two = (await house.admin.post('/admin/hierarchy/items', { name: 'Two' })).body.id
  const report = { title: 'X', external_id: 'x', affected_items: [{ id: one }] }
  path = `/admin/incidents/${(await house.admin.post('/admin/incidents', report)).body.id}/impacts`
})
afterAll(() => house.close())

const impacts = async () => (await house.admin.get(path)).body.impacts
const statusOf = async (id: number) => (await house.admin.get(`/admin/hierarchy/items/${id}`)).body.status

test('an impact follows its incident until it has a status of its own', async () => {
  expect(await impacts()).toMatchObject([{ item_id: one, item: { name: 'One' }, status: 'degraded', end_time: null }])
  house.now = minutes(5)
  await house.admin.patch(`${path}/${one}`, { status: 'major_outage' })
  expect(await statusOf(one)).toBe('major_outage')
  await house.admin.post('/admin/incidents/external/x/updates', { message: 'M', status: 'partial_outage' })
  expect(await statusOf(one)).toBe('major_outage')
  await house.admin.patch(`${path}/${one}`, { status: null })
  expect(await statusOf(one)).toBe('partial_outage')
})

test('an impact can be added, ended and added again', async () => {
  house.now = minutes(10)
  const { status, body } = await house.admin.post(path, { item_id: two, status: 'degraded' })
  expect([status, body.item_id, body.incident_id]).toEqual([201, two, expect.any(Number)])
  expect((await house.admin.post(path, { item_id: two })).status).toBe(409)
  house.now = minutes(20)
  expect((await house.admin.del(`/admin/incidents/external/x/impacts/${two}`)).status).toBe(200)
  expect(await statusOf(two)).toBe('operational')
  expect((await house.admin.del(`${path}/${two}`)).status).toBe(404)
  house.now = minutes(30)
  await house.admin.post(path, { item_id: two, start_time: minutes(25).toISOString() })
  const times = (await impacts()).filter((impact: { item_id: number }) => impact.item_id === two)
  expect(times.map((impact: Record<string, string>) => [impact.start_time, impact.end_time])).toEqual([
    [minutes(10).toISOString(), minutes(20).toISOString()],
    [minutes(25).toISOString(), null],
  ])
})

test.each([
  ['an unknown item', { item_id: 999_999 }, 'item_id'],
  ['an unknown status', { status: 'nope' }, 'status'],
  ['a start in the future', { start_time: minutes(500).toISOString() }, 'start_time'],
  ['an end before the start', { start_time: minutes(9).toISOString(), end_time: minutes(8).toISOString() }, 'end_time'],
])('%s is refused', async (_what, change, field) => {
  await house.admin.del(`${path}/${two}`)
  const { status, body } = await house.admin.post(path, { item_id: two, ...change })
  expect([status, body.errors[0].path]).toEqual([400, field])
})

test('one that begins in a moment, by a clock that is ahead, can be ended now', async () => {
  house.now = minutes(35)
  await house.admin.post(path, { item_id: two, start_time: minutes(38).toISOString() })
  expect((await house.admin.del(`${path}/${two}`)).status).toBe(200)
  expect((await impacts()).at(-1)).toMatchObject({
    start_time: minutes(38).toISOString(),
    end_time: minutes(38).toISOString(),
  })
})

test('a resolved incident gets no more open impacts, but impacts in the past', async () => {
  house.now = minutes(40)
  await house.admin.post('/admin/incidents/external/x/resolve')
  expect((await impacts()).every((impact: { end_time: string | null }) => impact.end_time !== null)).toBe(true)
  expect((await house.admin.post(path, { item_id: two })).status).toBe(409)
  const past = { item_id: two, start_time: minutes(1).toISOString(), end_time: minutes(2).toISOString() }
  expect((await house.admin.post(path, past)).status).toBe(201)
  expect(await statusOf(two)).toBe('operational')
})

describe('an impact that has ended keeps the status that it had', () => {
  const ended = async (incident: string) => (await house.admin.get(`${incident}/impacts`)).body.impacts
  const open = async (more: object = {}) => {
    const body = { title: 'X', affected_items: [{ id: one }, { id: two }], ...more }
    return `/admin/incidents/${(await house.admin.post('/admin/incidents', body)).body.id}`
  }
  beforeEach(() => {
    house.now = minutes(60)
  })

  test.each<[string, (incident: string) => Promise<unknown>]>([
    ['a DELETE', (incident) => house.admin.del(`${incident}/impacts/${two}`)],
    ['an end', (incident) => house.admin.patch(`${incident}/impacts/${two}`, { end_time: minutes(60).toISOString() })],
    ['a PATCH of the items', (incident) => house.admin.patch(incident, { affected_items: [{ id: one }] })],
  ])('by %s, whatever the incident becomes', async (_what, end) => {
    const incident = await open({ status: 'partial_outage' })
    await end(incident)
    house.now = minutes(61)
    await house.admin.post(`${incident}/updates`, { message: 'M', status: 'degraded' })
    expect(await ended(incident)).toMatchObject([
      { item_id: one, status: 'degraded', end_time: null },
      { item_id: two, status: 'partial_outage', end_time: minutes(60).toISOString() },
    ])
    await house.admin.post(`${incident}/resolve`)
    expect((await ended(incident)).map(({ status }: { status: string }) => status)).toEqual([
      'degraded',
      'partial_outage',
    ])
    await house.admin.post(`${incident}/reopen`, { status: 'major_outage' })
    expect((await ended(incident)).map(({ status }: { status: string }) => status)).toEqual([
      ...['degraded', 'partial_outage', 'major_outage'],
    ])
    await house.admin.del(incident)
  })

  test('by an end in the past: the status that the incident had then', async () => {
    const incident = await open({ status: 'partial_outage' })
    house.now = minutes(70)
    await house.admin.post(`${incident}/updates`, { status: 'major_outage' })
    house.now = minutes(80)
    await house.admin.patch(`${incident}/impacts/${two}`, { end_time: minutes(65).toISOString() })
    expect((await ended(incident))[1]).toMatchObject({ item_id: two, status: 'partial_outage' })
    await house.admin.del(incident)
  })
})

test('external ids identify an impact, alone or together with the matching id', async () => {
  const { body: item } = await house.admin.post('/admin/hierarchy/items', { name: 'Three', external_id: 'three' })
  const { body: incident } = await house.admin.post('/admin/incidents', { title: 'X', external_id: 'refs' })
  const by = `/admin/incidents/external/refs/impacts`
  expect((await house.admin.post(by, {})).body.errors[0]).toMatchObject({ path: 'item_id' })
  const other = await house.admin.post(by, { item_id: one, item: { external_id: 'three' } })
  expect(other.body.errors).toEqual([{ path: 'item', message: `names the item ${item.id}, but item_id is ${one}` }])
  const { status, body } = await house.admin.post(by, { item_id: item.id, item: { external_id: 'three' } })
  expect([status, body.item_id, body.version]).toEqual([201, item.id, 2])
  const changed = await house.admin.patch(`${by}/external/three`, { status: 'major_outage' })
  expect([changed.status, changed.body.version]).toEqual([200, 3])
  expect((await house.admin.del(`/admin/incidents/${incident.id}/impacts/external/three`)).status).toBe(200)
  expect((await house.admin.del(`${by}/external/three`)).status).toBe(404)
  expect((await house.admin.del(`${by}/external/unknown`)).status).toBe(404)
})
