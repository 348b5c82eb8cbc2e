import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

let service: TestService
let top: number
let leaf: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
  top = (await service.admin.post('/admin/hierarchy/items', { name: 'Top' })).body.id
  leaf = (await service.admin.post('/admin/hierarchy/items', { name: 'Leaf', parent_id: top })).body.id
})
afterAll(() => service.close())

const item = (id: number) => `/admin/hierarchy/items/${id}`
const events = async (id: number) => (await service.admin.get(`${item(id)}/status-events`)).body.events
const statusOf = async (id: number) => (await service.admin.get(item(id))).body.status

test('each change of a status is an event with its cause, on the item and on those above it', async () => {
  service.now = minutes(10)
  const incident = (
    await service.admin.post('/admin/incidents', {
      title: 'X',
      status: 'major_outage',
      affected_items: [{ id: leaf }],
      started_at: minutes(4).toISOString(),
    })
  ).body
  service.now = minutes(20)
  await service.admin.post(`/admin/incidents/${incident.id}/updates`, { message: 'Better.', status: 'degraded' })
  service.now = minutes(30)
  await service.admin.post(`/admin/incidents/${incident.id}/resolve`)
  for (const id of [leaf, top]) {
    const course = (await events(id)).map((event: Record<string, unknown>) => [
      event.event_time,
      event.previous_status,
      event.status,
    ])
    expect(course).toEqual([
      [minutes(30).toISOString(), 'degraded', 'operational'],
      [minutes(20).toISOString(), 'major_outage', 'degraded'],
      [minutes(4).toISOString(), 'operational', 'major_outage'],
    ])
  }
  expect((await events(leaf))[0].cause).toEqual({ kind: 'incident', id: incident.id })
})

test('events are listed by time', async () => {
  const query = `start_time=${minutes(15).toISOString()}&end_time=${minutes(25).toISOString()}`
  const { body } = await service.admin.get(`${item(leaf)}/status-events?${query}`)
  expect(body).toMatchObject({ count: 1, item_id: leaf, start_time: minutes(15).toISOString() })
  expect(body.events[0].status).toBe('degraded')
  const backwards = `start_time=${minutes(25).toISOString()}&end_time=${minutes(15).toISOString()}`
  const refused = await service.admin.get(`${item(leaf)}/status-events?${backwards}`)
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'start_time'])
})

test('a corrected event stays in its order and shows that it was corrected', async () => {
  const [, second] = await events(leaf)
  const correct = (at: Date) =>
    service.admin.post(`/admin/status-events/${second.id}/time`, {
      event_time: at.toISOString(),
      correction_note: 'It was earlier.',
    })
  for (const wrong of [minutes(3), minutes(31), minutes(99_999)]) expect((await correct(wrong)).status).toBe(400)
  const { status, body } = await correct(minutes(12))
  expect([status, body.event_id, body.new_time]).toEqual([200, second.id, minutes(12).toISOString()])
  expect((await events(leaf))[1]).toMatchObject({
    event_time: minutes(12).toISOString(),
    original_event_time: minutes(20).toISOString(),
    correction_note: 'It was earlier.',
    corrected_by: body.corrected_by,
  })
})

test('a deleted event leaves its neighbours in agreement', async () => {
  const [, second] = await events(leaf)
  const { body } = await service.admin.request('DELETE', `/admin/status-events/${second.id}`, { reason: 'Never was.' })
  expect(body).toMatchObject({ event_id: second.id, reason: 'Never was.' })
  const left = (await events(leaf)).map((event: Record<string, unknown>) => [event.previous_status, event.status])
  expect(left).toEqual([
    ['major_outage', 'operational'],
    ['operational', 'major_outage'],
  ])
})

test('an override replaces the computed status until it is deleted', async () => {
  service.now = minutes(40)
  const put = await service.admin.request('PUT', `${item(leaf)}/status`, {
    status: 'partial_outage',
    reason: 'By eye.',
  })
  expect(put.body).toMatchObject({ status: 'partial_outage', status_override: { reason: 'By eye.', until: null } })
  await service.admin.post('/admin/incidents', { title: 'Y', status: 'major_outage', affected_items: [{ id: leaf }] })
  expect([await statusOf(leaf), await statusOf(top)]).toEqual(['partial_outage', 'partial_outage'])
  const taken = await service.admin.del(`${item(leaf)}/status`)
  expect(taken.body.status).toBe('major_outage')
  expect(taken.body).not.toHaveProperty('status_override')
})

test('a status set by hand for a time ends by itself, then', async () => {
  service.now = minutes(50)
  const wrong = await service.admin.request('PUT', `${item(leaf)}/status`, {
    status: 'degraded',
    reason: 'R',
    until: minutes(49).toISOString(),
  })
  expect(wrong.status).toBe(400)
  await service.admin.request('PUT', `${item(leaf)}/status`, {
    status: 'degraded',
    reason: 'R',
    until: minutes(60).toISOString(),
  })
  expect(service.woken).toContainEqual({ kind: 'item', id: leaf, pageId: service.page.id })
  const look = (now: Date) =>
    takeStep(service.services, steps.item, { kind: 'item', pageId: service.page.id, id: leaf, now })
  expect(await look(minutes(55))).toMatchObject({ done: false, until: minutes(60) })
  expect(await statusOf(leaf)).toBe('degraded')
  expect(await look(minutes(61))).toMatchObject({ done: true })
  expect(await statusOf(leaf)).toBe('major_outage')
  expect((await events(leaf))[0]).toMatchObject({ event_time: minutes(60).toISOString(), cause: { kind: 'override' } })
})

test('a status that only the history of an item knows is not deleted', async () => {
  service.now = minutes(70)
  const type = (await service.admin.post('/admin/status-types', { key: 'on_fire', name: 'On fire' })).body
  await service.admin.request('PUT', `${item(leaf)}/status`, { status: 'on_fire', reason: 'R' })
  service.now = minutes(71)
  await service.admin.del(`${item(leaf)}/status`)
  const { status, body } = await service.admin.del(`/admin/status-types/${type.id}`)
  expect([status, body.error]).toEqual([409, expect.stringContaining('status events')])
})
