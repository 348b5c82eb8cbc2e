import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

const now = new Date('2026-03-10T12:00:00Z')
const at = (hour: string) => `2026-03-09T${hour}:00.000Z`

let service: TestService
const items: Record<string, number> = {}
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  const start_date = '2026-03-01T00:00:00Z'
  const make = async (name: string, parent?: string) => {
    const body = { name, start_date, parent_id: parent && items[parent] }
    items[name] = (await service.admin.post('/admin/hierarchy/items', body)).body.id
  }
  for (const top of ['Shop', 'Search']) await make(top)
  for (const below of ['Cart', 'Pay', 'Login']) await make(below, 'Shop')
})
afterAll(() => service.close())

const path = '/admin/incidents/backfill'
const backfill = (body: object) => service.admin.post(path, { title: 'Was down', started_at: at('08:00'), ...body })
const affecting = (...names: string[]) => ({ affected_items: names.map((name) => ({ id: items[name] })) })
const item = async (name: string) => (await service.admin.get(`/admin/hierarchy/items/${items[name]}`)).body
const events = async (name: string) => {
  const { body } = await service.admin.get(`/admin/hierarchy/items/${items[name]}/status-events`)
  return body.events
    .map((event: Record<string, string>) => [event.event_time, event.previous_status, event.status])
    .reverse()
}
const downtime = async (name: string) => {
  const { days } = (await service.admin.get(`/admin/hierarchy/items/${items[name]}/uptime?days=2`)).body
  return days.map((day: { downtime_seconds: number }) => day.downtime_seconds)
}

const whole = {
  status: 'partial_outage',
  acknowledged_at: at('08:05'),
  updates: [
    { message: 'Worse.', status: 'major_outage', created_at: at('09:00') },
    { message: 'Still looking.', created_at: at('09:30') },
    { message: 'A cable.', status: 'resolved', created_at: at('10:00') },
  ],
}

test('a backfill stores the whole history with its own times, notifies no subscriber and wakes no process', async () => {
  const left = await tracesOf(service)
  const { status, body, headers } = await backfill({ ...whole, ...affecting('Search'), reminder_interval_minutes: 5 })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/incidents/${body.id}`])
  expect(body).toMatchObject({
    ...{ status: 'resolved', initial_status: 'partial_outage', version: 1 },
    ...{ started_at: at('08:00'), created_at: at('08:00'), updated_at: at('10:00') },
    ...{ acknowledged_at: at('08:05'), resolved_at: at('10:00'), lifecycle_stage: { name: 'Resolved' } },
  })
  const timeline = body.updates.map((update: Record<string, unknown>) => [
    ...[update.message, update.previous_status, update.status, update.is_resolution, update.created_at],
  ])
  expect(timeline).toEqual([
    ['A cable.', 'major_outage', 'resolved', true, at('10:00')],
    ['Still looking.', 'major_outage', 'major_outage', false, at('09:30')],
    ['Worse.', 'partial_outage', 'major_outage', false, at('09:00')],
  ])
  expect(await tracesOf(service)).toEqual({ ...left, audit: left.audit + 1 })
  const { impacts } = (await service.admin.get(`/admin/incidents/${body.id}/impacts`)).body
  expect(impacts).toMatchObject([{ item_id: items.Search, start_time: at('08:00'), end_time: at('10:00') }])
  expect(body.affected_items).toMatchObject([{ name: 'Search', status: 'operational' }])
})

test('the uptime of those days counts it', async () => {
  expect(await events('Search')).toEqual([
    [at('08:00'), 'operational', 'partial_outage'],
    [at('09:00'), 'partial_outage', 'major_outage'],
    [at('10:00'), 'major_outage', 'operational'],
  ])
  expect(await downtime('Search')).toEqual([2 * 3600, 0])
})

test('what was known is kept where it was worse, on the item and on those above it', async () => {
  const resolved_at = at('10:00')
  await backfill({ ...affecting('Cart'), status: 'major_outage', started_at: at('09:00'), resolved_at })
  await backfill({ ...affecting('Pay'), status: 'partial_outage', resolved_at: at('09:30') })
  expect(await events('Shop')).toEqual([
    [at('08:00'), 'operational', 'partial_outage'],
    [at('09:00'), 'partial_outage', 'major_outage'],
    [at('10:00'), 'major_outage', 'operational'],
  ])
  await backfill({ ...affecting('Cart'), status: 'partial_outage', resolved_at: at('11:00') })
  expect(await events('Cart')).toEqual([
    [at('08:00'), 'operational', 'partial_outage'],
    [at('09:00'), 'partial_outage', 'major_outage'],
    [at('10:00'), 'major_outage', 'operational'],
    [at('10:00'), 'operational', 'partial_outage'],
    [at('11:00'), 'partial_outage', 'operational'],
  ])
  expect([await downtime('Cart'), await downtime('Shop')]).toEqual([
    [3 * 3600, 0],
    [3 * 3600, 0],
  ])
  expect([(await item('Cart')).status, (await item('Shop')).status]).toEqual(['operational', 'operational'])
})

test('an open one holds its items down since then, and reminds from now on', async () => {
  const updates = [{ message: 'Worse.', status: 'major_outage', created_at: at('20:00') }]
  const { body } = await backfill({ ...affecting('Login'), status: 'degraded', updates, reminder_interval_minutes: 30 })
  expect(body).toMatchObject({ status: 'major_outage', resolved_at: null, lifecycle_stage: { name: 'Investigating' } })
  expect(body.affected_items).toMatchObject([{ name: 'Login', status: 'major_outage' }])
  expect(await events('Login')).toEqual([
    [at('08:00'), 'operational', 'degraded'],
    [at('20:00'), 'degraded', 'major_outage'],
  ])
  expect((await item('Shop')).status).toBe('major_outage')
  expect((await events('Shop')).at(-1)).toEqual([at('20:00'), 'degraded', 'major_outage'])
  expect(service.woken).toEqual([{ kind: 'incident', id: body.id, pageId: service.page.id }])
  service.now = new Date(now.getTime() + 31 * 60_000)
  await service.admin.post(`/admin/incidents/${body.id}/resolve`)
  expect((await events('Login')).at(-1)).toEqual([service.now.toISOString(), 'major_outage', 'operational'])
  const { notifications } = (await service.admin.get(`/admin/notifications?subject=incident:${body.id}`)).body
  expect(notifications.map(({ key, missed }: { key: string; missed: number }) => [key, missed])).toEqual([
    ['incident.resolved', 0],
    ['incident.reminder', 1],
  ])
  service.now = now
})

test('an override stays after a backfill', async () => {
  const set = { status: 'degraded', reason: 'By eye.' }
  await service.admin.request('PUT', `/admin/hierarchy/items/${items.Pay}/status`, set)
  const { body } = await backfill({ ...affecting('Pay'), status: 'major_outage' })
  expect((await item('Pay')).status).toBe('degraded')
  expect((await events('Pay')).at(-1)[2]).toBe('degraded')
  await service.admin.del(`/admin/incidents/${body.id}`)
  await service.admin.del(`/admin/hierarchy/items/${items.Pay}/status`)
  expect((await events('Pay')).at(-1)[2]).toBe('operational')
})

test('it may be resolved without a word, and reopened', async () => {
  const { body } = await backfill({ ...affecting('Search'), resolved_at: at('08:30') })
  expect(body.updates).toMatchObject([{ status: 'resolved', is_resolution: true, created_at: at('08:30') }])
  const again = await service.admin.post(`/admin/incidents/${body.id}/reopen`)
  expect(again.body).toMatchObject({ status: 'degraded', resolved_at: null })
  expect((await item('Search')).status).toBe('degraded')
  await service.admin.del(`/admin/incidents/${body.id}`)
})

const update = (created_at: string, status?: string) => ({ message: 'M', created_at, status })

test.each([
  ['without a start', { started_at: undefined }, 'started_at'],
  ['a start in the future', { started_at: '2026-03-10T12:06:00Z' }, 'started_at'],
  ['acknowledged before the start', { acknowledged_at: at('07:59') }, 'acknowledged_at'],
  ['resolved before the start', { resolved_at: at('07:59') }, 'resolved_at'],
  ['resolved in the future', { resolved_at: '2026-03-11T12:00:00Z' }, 'resolved_at'],
  ['an update before the start', { updates: [update(at('07:59'))] }, 'updates.0.created_at'],
  ['an update in the future', { updates: [update('2026-03-11T12:00:00Z')] }, 'updates.0.created_at'],
  ['out of order', { updates: [update(at('09:00')), update(at('08:59'))] }, 'updates.1.created_at'],
  ['behind the resolution', { resolved_at: at('09:00'), updates: [update(at('09:01'))] }, 'updates.0.created_at'],
  [
    'resolved on the way',
    { updates: [update(at('09:00'), 'resolved'), update(at('09:01'), 'degraded')] },
    'updates.0.status',
  ],
  [
    'resolved at two times',
    { resolved_at: at('10:00'), updates: [update(at('09:00'), 'resolved')] },
    'updates.0.created_at',
  ],
  ['an unknown status of an update', { updates: [update(at('09:00'), 'nope')] }, 'updates.0.status'],
  ['an unknown status', { status: 'nope' }, 'status'],
  ['resolved from the first', { status: 'resolved' }, 'status'],
  ['an unknown item', { affected_items: [{ slug: 'nope' }] }, 'affected_items.0'],
])('%s is refused, and nothing is written', async (_what, body, field) => {
  const left = await tracesOf(service)
  const answer = await backfill(body)
  expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, field])
  expect(await tracesOf(service)).toEqual(left)
})

test('the same request again answers with the stored record, another one is a conflict', async () => {
  const first = await backfill({ ...whole, external_id: 'old-1', ...affecting('Search') })
  const before = await events('Search')
  const again = await backfill({ ...whole, external_id: 'old-1', ...affecting('Search') })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(await events('Search')).toEqual(before)
  expect((await backfill({ external_id: 'old-1' })).status).toBe(409)
  const plain = { title: 'Was down', external_id: 'old-1' }
  expect((await service.admin.post('/admin/incidents', plain)).body.code).toBe('external_id_conflict')
})

test('a backfill that asks for notifications is refused', async () => {
  const past = { title: 'Past', started_at: '2026-01-01T00:00:00Z', affected_items: [] }
  for (const path of ['/admin/incidents/backfill', '/admin/maintenances/backfill']) {
    const { status, body } = await service.admin.post(path, { ...past, notify: true })
    expect([path, status]).toEqual([path, 400])
    expect(body.errors.map((one: { path: string }) => one.path)).toContain('notify')
  }
  expect((await service.admin.post('/admin/incidents/backfill', { ...past, notify: false })).status).toBe(201)
})
