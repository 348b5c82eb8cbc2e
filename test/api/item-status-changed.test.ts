import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Each change of the status of an item writes one notification event, whatever its cause. */

let service: TestService
let parent: number
let item: number
beforeAll(async () => {
  service = await openTestService()
  parent = (await service.admin.post('/admin/hierarchy/items', { name: 'Above' })).body.id
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Below', parent_id: parent })).body.id
})
afterAll(() => service.close())

interface Event {
  id: number
  key: string
  subject: { kind: string; id: number }
  data: { status: string; previous_status: string; status_event_id: number; cause: { kind: string; id?: number } }
}

const eventsOf = async (id: number): Promise<Event[]> =>
  (
    await service.admin.get(`/admin/notifications?key=item.status_changed&subject=item:${id}`)
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

test('an incident writes notifications for its items and for their parents', async () => {
  let path = ''
  const report = { title: 'Down', affected_items: [{ id: item }] }
  const opened = await newEvents(async () => {
    path = `/admin/incidents/${(await service.admin.post('/admin/incidents', report)).body.id}`
  })
  expect(opened).toEqual(both('operational', 'degraded', 'incident'))
  const worse = () => service.admin.patch(`${path}/impacts/${item}`, { status: 'major_outage' })
  expect(await newEvents(worse)).toEqual(both('degraded', 'major_outage', 'incident'))
  expect(await newEvents(worse)).toEqual({ parent: [], item: [] })
  const resolve = () => service.admin.post(`${path}/resolve`)
  expect(await newEvents(resolve)).toEqual(both('major_outage', 'operational', 'incident'))
})

test('an incident that began in the past writes one notification with the present status', async () => {
  const started_at = new Date(Date.now() - 3_600_000).toISOString()
  let id = 0
  const opened = await newEvents(async () => {
    const body = { title: 'Down', started_at, affected_items: [{ id: item }] }
    id = (await service.admin.post('/admin/incidents', body)).body.id
  })
  expect(opened).toEqual(both('operational', 'degraded', 'incident'))
  await service.admin.post(`/admin/incidents/${id}/resolve`)
})

test('a maintenance writes notifications for the status changes of its items', async () => {
  const window = { title: 'Work', status: 'in_progress', affected_items: [{ id: item }] }
  let id = 0
  const start = async () => {
    id = (await service.admin.post('/admin/maintenances', window)).body.id
  }
  expect(await newEvents(start)).toEqual(both('operational', 'maintenance', 'maintenance'))
  const complete = () => service.admin.post(`/admin/maintenances/${id}/complete`)
  expect(await newEvents(complete)).toEqual(both('maintenance', 'operational', 'maintenance'))
})

test('a status that is set by hand writes a notification, and a correction of the history writes none', async () => {
  const at = `/admin/hierarchy/items/${item}/status`
  const set = () => service.admin.request('PUT', at, { status: 'partial_outage', reason: 'R' })
  expect(await newEvents(set)).toEqual(both('operational', 'partial_outage', 'override'))
  const [newest] = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body.events
  const note = { event_time: new Date(Date.parse(newest.event_time) - 1).toISOString() }
  const correct = async () =>
    expect((await service.admin.post(`/admin/status-events/${newest.id}/time`, note)).status).toBe(200)
  expect(await newEvents(correct)).toEqual({ parent: [], item: [] })
  expect(await newEvents(() => service.admin.del(at))).toEqual(both('partial_outage', 'operational', 'override'))
})

test('a backfilled incident writes no notification', async () => {
  const body = { title: 'Down', started_at: '2026-01-01T00:00:00Z', affected_items: [{ id: item }] }
  const write = () => service.admin.post('/admin/incidents/backfill', body)
  expect(await newEvents(write)).toEqual({ parent: [], item: [] })
})
