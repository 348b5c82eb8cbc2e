import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

/** Each change of the status of an item writes one notification event, whatever its cause. */

let house: House
let parent: number
let item: number
beforeAll(async () => {
  house = await openHouse()
  parent = (await house.admin.post('/admin/hierarchy/items', { name: 'Above' })).body.id
  item = (await house.admin.post('/admin/hierarchy/items', { name: 'Below', parent_id: parent })).body.id
})
afterAll(() => house.close())

interface Event {
  id: number
  key: string
  subject: { kind: string; id: number }
  data: { status: string; previous_status: string; status_event_id: number; cause: { kind: string; id?: number } }
}

const eventsOf = async (id: number): Promise<Event[]> =>
  (
    await house.admin.get(`/admin/notifications?key=item.status_changed&subject=item:${id}`)
  ).body.notifications.reverse()

async function newEvents(write: () => Promise<unknown>) {
  const count = { parent: (await eventsOf(parent)).length, item: (await eventsOf(item)).length }
  await write()
  const shown = ({ data: { status, previous_status, cause } }: Event) => [previous_status, status, cause.kind]
  return {
    parent: (await eventsOf(parent)).slice(count.parent).map(shown),
    item: (await eventsOf(item)).slice(count.item).map(shown),
  }
}

const both = (before: string, after: string, cause: string) => ({
  parent: [[before, after, cause]],
  item: [[before, after, cause]],
})

test('for an incident, its impacts and what follows from the children', async () => {
  let path = ''
  const report = { title: 'Down', affected_items: [{ id: item }] }
  const opened = await newEvents(async () => {
    path = `/admin/incidents/${(await house.admin.post('/admin/incidents', report)).body.id}`
  })
  expect(opened).toEqual(both('operational', 'degraded', 'incident'))
  const worse = () => house.admin.patch(`${path}/impacts/${item}`, { status: 'major_outage' })
  expect(await newEvents(worse)).toEqual(both('degraded', 'major_outage', 'incident'))
  expect(await newEvents(worse)).toEqual({ parent: [], item: [] })
  const resolve = () => house.admin.post(`${path}/resolve`)
  expect(await newEvents(resolve)).toEqual(both('major_outage', 'operational', 'incident'))
})

test('for an incident that began in the past: once, for the status of the present', async () => {
  const started_at = new Date(Date.now() - 3_600_000).toISOString()
  let id = 0
  const opened = await newEvents(async () => {
    const body = { title: 'Down', started_at, affected_items: [{ id: item }] }
    id = (await house.admin.post('/admin/incidents', body)).body.id
  })
  expect(opened).toEqual(both('operational', 'degraded', 'incident'))
  await house.admin.post(`/admin/incidents/${id}/resolve`)
})

test('for a maintenance', async () => {
  const window = { title: 'Work', status: 'in_progress', affected_items: [{ id: item }] }
  let id = 0
  const start = async () => {
    id = (await house.admin.post('/admin/maintenances', window)).body.id
  }
  expect(await newEvents(start)).toEqual(both('operational', 'maintenance', 'maintenance'))
  const complete = () => house.admin.post(`/admin/maintenances/${id}/complete`)
  expect(await newEvents(complete)).toEqual(both('maintenance', 'operational', 'maintenance'))
})

test('for a status that is set by hand, and none for a correction of the history', async () => {
  const at = `/admin/hierarchy/items/${item}/status`
  const set = () => house.admin.request('PUT', at, { status: 'partial_outage', reason: 'R' })
  expect(await newEvents(set)).toEqual(both('operational', 'partial_outage', 'override'))
  const [newest] = (await house.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body.events
  const note = { event_time: new Date(Date.parse(newest.event_time) - 1).toISOString() }
  const correct = async () =>
    expect((await house.admin.post(`/admin/status-events/${newest.id}/time`, note)).status).toBe(200)
  expect(await newEvents(correct)).toEqual({ parent: [], item: [] })
  expect(await newEvents(() => house.admin.del(at))).toEqual(both('partial_outage', 'operational', 'override'))
})

test('a backfilled incident writes no notification', async () => {
  const body = { title: 'Down', started_at: '2026-01-01T00:00:00Z', affected_items: [{ id: item }] }
  const write = () => house.admin.post('/admin/incidents/backfill', body)
  expect(await newEvents(write)).toEqual({ parent: [], item: [] })
})
