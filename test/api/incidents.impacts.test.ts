import { afterAll, beforeAll, expect, test } from '@jest/globals'
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

test('an impact is added, ended, and added anew', async () => {
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

test('a resolved incident gets no more open impacts, but may tell of past ones', async () => {
  house.now = minutes(40)
  await house.admin.post('/admin/incidents/external/x/resolve')
  expect((await impacts()).every((impact: { end_time: string | null }) => impact.end_time !== null)).toBe(true)
  expect((await house.admin.post(path, { item_id: two })).status).toBe(409)
  const past = { item_id: two, start_time: minutes(1).toISOString(), end_time: minutes(2).toISOString() }
  expect((await house.admin.post(path, past)).status).toBe(201)
  expect(await statusOf(two)).toBe('operational')
})
