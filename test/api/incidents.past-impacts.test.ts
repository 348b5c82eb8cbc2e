import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Each operation that reports the past changes the status events and the uptime of the items. */

const at = (time: string) => `2026-03-10T${time}:00.000Z`

let service: TestService
let top: number
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date(at('00:00')) })
})
beforeEach(async () => {
  clock('00:00')
  top = (await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Pay', parent_id: top })).body.id
})
afterAll(() => service.close())

function clock(time: string): void {
  service.now = new Date(at(time))
}

const path = '/admin/incidents'
const report = async (more: object = {}): Promise<number> => {
  const body = { title: 'Down', status: 'major_outage', affected_items: [{ id: item }], ...more }
  return (await service.admin.post(path, body)).body.id
}
const events = async (id = item) => {
  const { body } = await service.admin.get(`/admin/hierarchy/items/${id}/status-events`)
  const course = body.events.toReversed()
  const statuses = ['operational', ...course.map((event: { status: string }) => event.status)]
  expect(course.map((event: { previous_status: string }) => event.previous_status)).toEqual(statuses.slice(0, -1))
  return course.map((event: Record<string, string>) => `${event.event_time!.slice(11, 16)} ${event.status}`)
}
/** Minutes down until now. */
const down = async (id = item) =>
  (await service.admin.get(`/admin/hierarchy/items/${id}/uptime?days=1`)).body.downtime_seconds / 60
const statusOf = async (id: number) => (await service.admin.get(`/admin/hierarchy/items/${id}`)).body.status
/** Something else that was known before: it was slow from half past ten until twenty to eleven. */
async function slowForTenMinutes(): Promise<void> {
  clock('10:30')
  const id = await report({ status: 'partial_outage' })
  clock('10:40')
  await service.admin.post(`${path}/${id}/resolve`)
}

describe('a created incident', () => {
  test('a created incident with a past start adds status events to its items and their parents', async () => {
    await slowForTenMinutes()
    clock('11:00')
    await report({ started_at: at('10:00') })
    for (const id of [item, top]) {
      const course = ['10:00 major_outage', '10:30 partial_outage', '10:30 major_outage']
      expect(await events(id)).toEqual([...course, '10:40 operational', '10:40 major_outage'])
      expect([await statusOf(id), await down(id)]).toEqual(['major_outage', 60])
    }
  })

  test('a created incident with a start just ahead of now writes an event with the current time', async () => {
    clock('11:00')
    await report({ started_at: at('11:03') })
    expect(await events()).toEqual(['11:00 major_outage'])
  })

  test('a created incident with a past start adds no events after an override to the item and its parents', async () => {
    clock('10:30')
    const byHand = { status: 'operational', reason: 'A false alarm.' }
    await service.admin.request('PUT', `/admin/hierarchy/items/${item}/status`, byHand)
    clock('11:00')
    await report({ started_at: at('10:50') })
    expect([await events(), await events(top)]).toEqual([[], []])
    await report({ started_at: at('10:00') })
    expect(await events(top)).toEqual(['10:00 major_outage', '10:30 operational'])
    expect([await down(), await statusOf(item)]).toEqual([30, 'operational'])
  })
})

describe('an impact in the past', () => {
  test('an impact in the past of an open incident has the statuses of the incident at those times', async () => {
    clock('10:00')
    const id = await report({ affected_items: [], status: 'major_outage' })
    clock('10:20')
    await service.admin.post(`${path}/${id}/updates`, { message: 'Better.', status: 'partial_outage' })
    clock('11:00')
    const past = { item_id: item, start_time: at('10:10'), end_time: at('10:40') }
    expect((await service.admin.post(`${path}/${id}/impacts`, past)).status).toBe(201)
    for (const one of [item, top]) {
      expect(await events(one)).toEqual(['10:10 major_outage', '10:20 partial_outage', '10:40 operational'])
      expect([await down(one), await statusOf(one)]).toEqual([30, 'operational'])
    }
  })

  test('an open impact since the past has its own status', async () => {
    await slowForTenMinutes()
    clock('11:00')
    const id = await report({ affected_items: [] })
    const open = { item_id: item, status: 'partial_outage', start_time: at('10:00') }
    await service.admin.post(`${path}/${id}/impacts`, open)
    expect(await events()).toEqual([
      ...['10:00 partial_outage', '10:30 partial_outage'],
      ...['10:40 operational', '10:40 partial_outage'],
    ])
    expect([await down(), await statusOf(top)]).toEqual([60, 'partial_outage'])
  })

  test('an impact in the past of a resolved incident adds status events', async () => {
    clock('10:00')
    const id = await report({ affected_items: [] })
    clock('10:30')
    await service.admin.post(`${path}/${id}/resolve`)
    clock('11:00')
    const past = { item_id: item, start_time: at('10:10'), end_time: at('10:20') }
    await service.admin.post(`${path}/${id}/impacts`, past)
    expect([await events(), await down()]).toEqual([['10:10 major_outage', '10:20 operational'], 10])
  })

  test('an earlier start of an impact adds events, and a later start removes none', async () => {
    clock('10:30')
    const id = await report()
    clock('11:00')
    const change = (body: object) => service.admin.patch(`${path}/${id}/impacts/${item}`, body)
    await change({ start_time: at('10:00') })
    expect([await events(), await down()]).toEqual([['10:00 major_outage', '10:30 major_outage'], 60])
    expect((await change({ start_time: at('10:45') })).status).toBe(200)
    expect([await events(), await down()]).toEqual([['10:00 major_outage', '10:30 major_outage'], 60])
  })

  test('an impact that ended in the past ends then, but after the recorded events', async () => {
    clock('10:00')
    const id = await report()
    clock('11:00')
    await service.admin.patch(`${path}/${id}/impacts/${item}`, { end_time: at('10:20') })
    expect([await events(), await down()]).toEqual([['10:00 major_outage', '10:20 operational'], 20])
    await service.admin.post(`${path}/${id}/impacts`, { item_id: item, status: 'partial_outage' })
    clock('11:30')
    await service.admin.patch(`${path}/${id}/impacts/${item}`, { status: 'major_outage' })
    clock('12:00')
    await service.admin.patch(`${path}/${id}/impacts/${item}`, { end_time: at('11:15') })
    expect((await events()).slice(2)).toEqual(['11:00 partial_outage', '11:30 major_outage', '11:30 operational'])
  })

  test('a new status of an impact applies from now on, and with new times to the whole impact', async () => {
    clock('10:00')
    const id = await report({ status: 'degraded' })
    const change = (body: object) => service.admin.patch(`${path}/${id}/impacts/${item}`, body)
    clock('10:30')
    await change({ status: 'partial_outage', start_time: at('10:00') })
    expect(await events()).toEqual(['10:00 degraded', '10:30 partial_outage'])
    clock('11:00')
    await change({ status: 'major_outage', end_time: at('10:50') })
    expect(await events()).toEqual([
      ...['10:00 degraded', '10:00 major_outage', '10:30 partial_outage', '10:30 major_outage'],
      ...['10:50 partial_outage', '10:50 operational'],
    ])
    expect(await down()).toBe(50)
  })
})

test('a resolution in the past shows the impacts of another incident that the resolved incident had hidden', async () => {
  const other = (await service.admin.post('/admin/hierarchy/items', { name: 'Cart', parent_id: top })).body.id
  clock('10:00')
  const id = await report()
  clock('10:35')
  const hidden = [await report({ status: 'partial_outage' }), await report({ affected_items: [{ id: other }] })]
  clock('10:50')
  for (const one of hidden) await service.admin.post(`${path}/${one}/resolve`)
  clock('11:00')
  // What has been corrected where nothing was hidden stays corrected.
  const [ended] = (await service.admin.get(`/admin/hierarchy/items/${other}/status-events`)).body.events
  const correction = { event_time: at('10:45'), correction_note: 'It was over by then.' }
  await service.admin.post(`/admin/status-events/${ended.id}/time`, correction)
  await service.admin.post(`${path}/${id}/resolve`, { resolved_at: at('10:30') })
  expect(await events()).toEqual([
    ...['10:00 major_outage', '10:30 operational', '10:35 partial_outage', '10:50 operational'],
  ])
  expect(await events(top)).toEqual([
    ...['10:00 major_outage', '10:30 operational'],
    ...['10:35 partial_outage', '10:35 major_outage', '10:50 operational'],
  ])
  expect([await down(), await down(top), await down(other)]).toEqual([45, 45, 10])
})

test('a status that a PATCH changed applies from the time of the change', async () => {
  clock('10:00')
  const id = await report({ affected_items: [], status: 'major_outage' })
  clock('10:30')
  await service.admin.patch(`${path}/${id}`, { status: 'degraded' })
  clock('11:00')
  await service.admin.post(`${path}/${id}/impacts`, { item_id: item, start_time: at('10:00') })
  expect([await events(), await down()]).toEqual([['10:00 major_outage', '10:30 degraded'], 30])
})
