import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { keysOf, makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const at = (hour: string) => `2026-03-09T${hour}:00.000Z`

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database', { start_date: '2026-03-01T00:00:00Z' })
})
afterAll(() => service.close())

const window = { scheduled_start_time: at('08:00'), scheduled_end_time: at('10:00') }
const backfill = (body: object = {}) =>
  service.admin.post('/admin/maintenances/backfill', {
    ...{ title: 'Was upgraded', affected_items: [{ id: item }], ...window, ...body },
  })
const downtime = async () => {
  const { days } = (await service.admin.get(`/admin/hierarchy/items/${item}/uptime?days=2`)).body
  return days.map((day: { downtime_seconds: number }) => day.downtime_seconds)
}

test('a backfill stores the whole history with its own times and writes no notification or reminder', async () => {
  await service.admin.patch('/admin/settings', { reliability_maintenance_counts_as_uptime: false })
  const updates = [
    { message: 'We begin.', status: 'in_progress', created_at: at('08:05') },
    { message: 'Half way.', created_at: at('09:00') },
  ]
  const { status, body, headers } = await backfill({ started_at: at('08:05'), ended_at: at('09:35'), updates })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/maintenances/${body.id}`])
  expect(body).toMatchObject({
    ...{ status: 'completed', version: 1, lifecycle_stage: { name: 'Completed' } },
    ...{ started_at: at('08:05'), ended_at: at('09:35'), created_at: at('08:05'), updated_at: at('09:35') },
  })
  const timeline = body.updates.map((update: Record<string, unknown>) => [
    ...[update.message, update.previous_status, update.status, update.created_at],
  ])
  expect(timeline).toEqual([
    ['This maintenance has been completed.', 'in_progress', 'completed', at('09:35')],
    ['Half way.', 'in_progress', 'in_progress', at('09:00')],
    ['We begin.', 'scheduled', 'in_progress', at('08:05')],
  ])
  expect(await keysOf(service, body.id)).toEqual([])
  expect(service.woken).not.toContainEqual({ kind: 'maintenance', id: body.id, pageId: service.page.id })
  const { events } = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
  expect(events.map((event: Record<string, unknown>) => [event.status, event.event_time])).toEqual([
    ['operational', at('09:35')],
    ['maintenance', at('08:05')],
  ])
  expect(await downtime()).toEqual([90 * 60, 0])
  await service.admin.patch('/admin/settings', { reliability_maintenance_counts_as_uptime: true })
  expect(await downtime()).toEqual([0, 0])
})

test('a backfill without times uses the times of the schedule', async () => {
  expect((await backfill()).body).toMatchObject({ started_at: at('08:00'), ended_at: at('10:00') })
  const cancelled = (await backfill({ status: 'cancelled', ended_at: at('07:00') })).body
  expect(cancelled).toMatchObject({ started_at: null, ended_at: at('07:00'), updates: [{ status: 'cancelled' }] })
})

test('one that goes on is followed from now on', async () => {
  const { body } = await backfill({ status: 'in_progress', scheduled_end_time: '2026-03-10T13:00:00Z' })
  expect(body).toMatchObject({ status: 'in_progress', affected_items: [{ status: 'maintenance' }], ended_at: null })
  expect(service.woken).toContainEqual({ kind: 'maintenance', id: body.id, pageId: service.page.id })
  await service.admin.post(`/admin/maintenances/${body.id}/complete`)
})

test.each([
  [{ scheduled_end_time: null }, 'ended_at'],
  [{ scheduled_start_time: null }, 'started_at'],
  [{ status: 'in_progress', ended_at: at('09:00') }, 'ended_at'],
  [{ status: 'scheduled', started_at: at('09:00') }, 'started_at'],
  [{ started_at: at('11:00') }, 'scheduled_end_time'],
  [{ ended_at: '2026-03-11T00:00:00Z' }, 'ended_at'],
  [
    { scheduled_start_time: '2026-03-11T00:00:00Z', scheduled_end_time: '2026-03-11T01:00:00Z' },
    'scheduled_start_time',
  ],
  [{ started_at: at('08:00'), scheduled_end_time: '2026-03-11T01:00:00Z' }, 'scheduled_end_time'],
  [{ updates: [{ message: 'No.', status: 'cancelled', created_at: at('09:00') }] }, 'updates.0.status'],
  [
    { status: 'in_progress', updates: [{ message: 'No.', status: 'completed', created_at: at('09:00') }] },
    'updates.0.status',
  ],
  [
    {
      updates: [
        { message: 'One.', created_at: at('09:30') },
        { message: 'Two.', created_at: at('09:00') },
      ],
    },
    'updates.1.created_at',
  ],
  [{ affected_items: [] }, 'affected_items'],
])('%j cannot have been', async (body, where) => {
  const refused = await backfill(body)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, where])
})

test('a window that ends before it starts is one error', async () => {
  const { status, body } = await backfill({ scheduled_start_time: at('10:00'), scheduled_end_time: at('08:00') })
  const message = 'must lie after the scheduled start'
  expect([status, body.errors]).toEqual([400, [{ path: 'scheduled_end_time', message }]])
})
