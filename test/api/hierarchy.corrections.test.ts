import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** What a correction of a status event leaves behind: on the items above, on the present, and in the audit. */

const at = (time: string) => new Date(`2026-03-11T${time}:00Z`)
const spoken = (event: { event_time: string; status: string }) => `${event.event_time.slice(11, 16)} ${event.status}`

let service: TestService
let ids: Record<string, number> = {}
beforeAll(async () => {
  service = await openTestService({ frozenAt: at('00:00') })
})
afterAll(() => service.close())

beforeEach(async () => {
  service.now = new Date('2026-03-10T00:00:00Z')
  ids = {}
  for (const [name, above] of Object.entries({ product: '', service: 'product', one: 'service', two: 'service' })) {
    const body = { name, parent_id: ids[above] }
    ids[name] = (await service.admin.post('/admin/hierarchy/items', body)).body.id
  }
})

const path = (name: string) => `/admin/hierarchy/items/${ids[name]}`
const events = async (name: string) => (await service.admin.get(`${path(name)}/status-events`)).body.events.reverse()
const course = async (name: string) => (await events(name)).map(spoken).join(', ')
const down = async (name: string) =>
  (await service.admin.get(`${path(name)}/uptime?days=1`)).body.downtime_seconds / 3600
const audited = async () => (await service.admin.get('/admin/audit-events?limit=1')).body.audit_events[0]

async function report(time: string, names: string[], status = 'major_outage', ended?: string): Promise<number> {
  service.now = at(time)
  const body = { title: 'X', status, affected_items: names.map((name) => ({ id: ids[name] })) }
  const { id } = (await service.admin.post('/admin/incidents', body)).body
  if (ended) {
    service.now = at(ended)
    await service.admin.post(`/admin/incidents/${id}/resolve`)
  }
  service.now = at('18:00')
  return id
}

async function correct(name: string, index: number, time: string | null) {
  const event = (await events(name)).at(index)
  const event_time = time === null ? null : at(time).toISOString()
  return service.admin.post(`/admin/status-events/${event.id}/time`, { event_time, correction_note: 'It was then.' })
}

async function remove(name: string, index: number, body?: object) {
  const event = (await events(name)).at(index)
  const { status } = await service.admin.request('DELETE', `/admin/status-events/${event.id}`, body)
  expect(status).toBe(200)
  return event
}

test('events of the parents move with a corrected event and show the correction', async () => {
  const incident = await report('00:00', ['one'])
  await correct('one', 0, '12:00')
  for (const name of ['one', 'service', 'product']) {
    expect([await course(name), await down(name)]).toEqual(['12:00 major_outage', 6])
    expect(await events(name)).toMatchObject([
      {
        previous_status: 'operational',
        original_event_time: at('00:00').toISOString(),
        correction_note: 'It was then.',
        corrected_at: at('18:00').toISOString(),
        corrected_by: expect.any(Number),
        cause: { kind: 'incident', id: incident },
      },
    ])
  }
  expect((await audited()).before.above.map(spoken)).toEqual(['00:00 major_outage', '00:00 major_outage'])
  expect((await audited()).after.above.map(spoken)).toEqual(['12:00 major_outage', '12:00 major_outage'])
  await correct('one', 0, null)
  expect(await course('product')).toBe('00:00 major_outage')
})

test('what another child held down stays down, until that is corrected, too', async () => {
  await report('00:00', ['one', 'two'])
  await correct('one', 0, '12:00')
  expect([await course('service'), await down('product')]).toEqual(['00:00 major_outage', 18])
  await correct('two', 0, '06:00')
  expect([await course('service'), await course('product')]).toEqual(['06:00 major_outage', '06:00 major_outage'])
})

test('what another incident held down in the meantime comes to light', async () => {
  await report('00:00', ['one'])
  await report('02:00', ['two'], 'partial_outage', '04:00')
  await correct('one', 0, '12:00')
  for (const name of ['service', 'product']) {
    expect(await course(name)).toBe('02:00 partial_outage, 04:00 operational, 12:00 major_outage')
    expect((await events(name)).map((event: Record<string, string>) => event.previous_status)).toEqual([
      'operational',
      'partial_outage',
      'operational',
    ])
  }
  expect((await events('service'))[0].cause).toEqual({ kind: 'correction', id: (await events('one'))[0].id })
})

test('an impact and work of its own hold an item above', async () => {
  await report('00:00', ['one'])
  await report('02:00', ['service'], 'partial_outage', '04:00')
  service.now = at('05:00')
  const work = { title: 'W', status: 'in_progress', affected_items: [{ id: ids.service }] }
  const { id } = (await service.admin.post('/admin/maintenances', work)).body
  service.now = at('07:00')
  await service.admin.post(`/admin/maintenances/${id}/complete`)
  service.now = at('18:00')
  await correct('one', 0, '12:00')
  expect(await course('service')).toBe(
    '02:00 partial_outage, 04:00 operational, 05:00 maintenance, 07:00 operational, 12:00 major_outage',
  )
})

test('what was set by hand stays, and so does what is above it', async () => {
  service.now = at('00:00')
  await service.admin.request('PUT', `${path('service')}/status`, { status: 'degraded', reason: 'By eye.' })
  await report('01:00', ['one'])
  await correct('one', 0, '12:00')
  expect([await course('one'), await course('service'), await course('product')]).toEqual([
    '12:00 major_outage',
    '00:00 degraded',
    '00:00 degraded',
  ])
})

test('an earlier end shows above what was worse below it', async () => {
  const first = await report('00:00', ['one'])
  await report('06:00', ['two'], 'degraded')
  service.now = at('10:00')
  await service.admin.post(`/admin/incidents/${first}/resolve`)
  service.now = at('18:00')
  await correct('one', 1, '04:00')
  expect(await course('service')).toBe('00:00 major_outage, 04:00 operational, 06:00 degraded')
  await correct('one', 1, null)
  expect(await course('service')).toBe('00:00 major_outage, 10:00 degraded')
  expect([await down('service'), await down('product')]).toEqual([10, 10])
})

test('a deleted event goes above as well, and is explained', async () => {
  await report('00:00', ['one'], 'major_outage', '10:00')
  const event = await remove('one', 0, { reason: 'A false alarm.' })
  expect([await down('one'), await down('service'), await down('product')]).toEqual([0, 0, 0])
  expect(await audited()).toMatchObject({
    operation: 'status_events.delete',
    subject: { kind: 'status event', id: event.id },
    before: { id: event.id, item_id: ids.one, status: 'major_outage', cause: event.cause },
    after: { reason: 'A false alarm.' },
  })
  expect((await audited()).before.above).toMatchObject([
    { item_id: ids.service, status: 'major_outage', event_time: at('00:00').toISOString() },
    expect.anything(),
    expect.anything(),
    expect.anything(),
  ])
})

test('a deletion needs no reason', async () => {
  await report('00:00', ['product'], 'major_outage', '10:00')
  const event = await remove('product', 0)
  expect(await audited()).toMatchObject({ before: { id: event.id } })
  expect(await audited()).not.toHaveProperty('after')
})

test('after the deletion of the newest event, new events record the current status of the item and its parents', async () => {
  await report('10:00', ['one'], 'major_outage', '10:10')
  const { id } = await remove('one', 1)
  for (const name of ['one', 'service', 'product']) {
    expect(await course(name)).toBe('10:00 major_outage, 18:00 operational')
    expect((await events(name))[1]).toMatchObject({
      previous_status: 'major_outage',
      cause: { kind: 'correction', id },
    })
  }
  service.now = at('20:00')
  expect([await down('one'), await down('service'), await down('product')]).toEqual([8, 8, 8])
})

test('events of one time stay in their order', async () => {
  await report('01:00', ['one'], 'degraded', '05:00')
  const impact = { id: ids.one, status: 'major_outage', start_time: at('02:00'), end_time: at('03:00') }
  await service.admin.post('/admin/incidents/backfill', {
    ...{ title: 'B', status: 'major_outage', affected_items: [{ id: ids.one }] },
    ...{ started_at: impact.start_time.toISOString(), resolved_at: impact.end_time.toISOString() },
  })
  expect(await course('one')).toBe('01:00 degraded, 02:00 major_outage, 03:00 degraded, 05:00 operational')
  expect((await correct('one', 3, '03:00')).status).toBe(400)
  expect((await correct('one', 3, '03:01')).status).toBe(200)
})
