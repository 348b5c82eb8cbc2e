import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { processOf } from '../support/incidents.ts'
import { keysOf, makeItem, notificationsOf, statusOf } from '../support/maintenances.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'

quietRuntime()

const MINUTE = 60_000

let processes: SkippingProcesses
let service: SkippingProcesses['service']
let item: number
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
  item = await makeItem(service, 'Database')
})
afterAll(() => processes?.close())

const path = '/admin/maintenances'
const fromNow = (minutes: number) => new Date(service.now.getTime() + minutes * MINUTE)
const window = (start: number, end: number) => ({
  scheduled_start_time: fromNow(start).toISOString(),
  scheduled_end_time: fromNow(end).toISOString(),
})

async function create(body: object) {
  const answer = await service.admin.post(path, { title: 'Upgrade', affected_items: [{ id: item }], ...body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return { ...answer.body, workflowId: `maintenance:${answer.body.id}` }
}
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const turnsOf = async (id: number) =>
  (await read(id)).updates.map((update: { status: string }) => update.status).reverse()
const noOther = { maintenance_reminder_pre_end_minutes: null, maintenance_reminder_overrun_interval_minutes: null }
const leads = (body: object) => service.admin.patch('/admin/chat/settings', body)

beforeEach(() => leads({ maintenance_reminder_pre_start_intervals: null, ...noOther }))

test('a maintenance starts and completes once at its scheduled times, with its messages and items', async () => {
  const messages = { auto_transition_start_message: 'We begin.', auto_transition_complete_message: 'We are done.' }
  const { id, workflowId, scheduled_start_time, scheduled_end_time } = await create({
    ...window(60, 120),
    ...messages,
    auto_transition_enabled: true,
  })
  await settled(service)
  expect((await processOf(service, workflowId)).waiting_for).toBe(`the scheduled start at ${scheduled_start_time}`)
  await processes.pass('61 minutes')
  expect(await read(id)).toMatchObject({
    ...{ status: 'in_progress', lifecycle_stage: { name: 'In progress' } },
    updates: [{ message: 'We begin.', due_at: scheduled_start_time }],
  })
  expect(await statusOf(service, item)).toBe('maintenance')
  expect((await processOf(service, workflowId)).waiting_for).toBe(`the scheduled end at ${scheduled_end_time}`)
  await processes.pass('60 minutes')
  expect(await read(id)).toMatchObject({
    ...{ status: 'completed', lifecycle_stage: { name: 'Completed' } },
    updates: [{ message: 'We are done.', due_at: scheduled_end_time }, {}],
  })
  expect(await statusOf(service, item)).toBe('operational')
  expect(await keysOf(service, id)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.completed'])
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'done' })
  await processes.pass('1 day')
  expect(await turnsOf(id)).toEqual(['in_progress', 'completed'])
})

test('a maintenance without automatic transitions does not change by itself', async () => {
  const { id } = await create(window(10, 20))
  await processes.pass('1 hour')
  expect(await read(id)).toMatchObject({ status: 'scheduled', updates: [] })
})

test('reminders come before the start and before the end, and overrun reminders until the end by hand', async () => {
  await leads({
    maintenance_reminder_pre_start_intervals: '1h, 15m',
    maintenance_reminder_pre_end_minutes: 10,
    maintenance_reminder_overrun_interval_minutes: 30,
  })
  await service.admin.patch('/admin/settings', {
    notify_on_long_running_maintenances: true,
    long_running_maintenance_after_end_hours: 1,
  })
  const begun = service.now
  const { id } = await create(window(90, 150))
  await processes.pass('91 minutes')
  await service.admin.post(`${path}/${id}/start`)
  await processes.pass('170 minutes')
  await service.admin.post(`${path}/${id}/complete`)
  await processes.pass('2 hours')
  const sent = (await notificationsOf(service, id)).map(({ key, due_at, data }) => [
    ...[key, data.reminder, data.minutes],
    Math.round((due_at.getTime() - begun.getTime()) / MINUTE),
  ])
  expect(sent.filter(([, reminder]) => reminder)).toEqual([
    ['maintenance.reminder', 'before_start', 60, 30],
    ['maintenance.reminder', 'before_start', 15, 75],
    ['maintenance.reminder', 'before_end', 10, 140],
    ['maintenance.overrun', 'overrun', 30, 180],
    ['maintenance.overrun', 'after_end', 60, 210],
    ['maintenance.overrun', 'overrun', 60, 210],
    ['maintenance.overrun', 'overrun', 90, 240],
  ])
  const [alert] = (await notificationsOf(service, id)).filter(({ data }) => data.reminder === 'after_end')
  expect(alert!.data).toEqual({ reminder: 'after_end', minutes: 60, status: 'in_progress' })
  await service.admin.patch('/admin/settings', { notify_on_long_running_maintenances: null })
})

test('new lead times apply to planned maintenances, and cause no reminder for moments in the past', async () => {
  const begun = service.now
  const { id } = await create(window(120, 180))
  await processes.pass('70 minutes')
  await leads({ maintenance_reminder_pre_start_intervals: '60, 20' })
  await processes.pass('1 hour')
  const due = (await notificationsOf(service, id)).filter(({ key }) => key === 'maintenance.reminder')
  expect(due.map(({ due_at }) => (due_at.getTime() - begun.getTime()) / MINUTE)).toEqual([100])
})

test('a moved maintenance starts at its new time, with new reminders', async () => {
  await leads({ maintenance_reminder_pre_start_intervals: '30' })
  const { id } = await create({ ...window(60, 120), auto_transition_enabled: true })
  await processes.pass('40 minutes')
  await service.admin.patch(`${path}/${id}`, { title: 'Upgrade', ...window(80, 100) })
  await processes.pass('30 minutes')
  expect((await read(id)).status).toBe('scheduled')
  await processes.pass('51 minutes')
  expect((await read(id)).status).toBe('in_progress')
  await service.admin.patch(`${path}/${id}`, { title: 'Upgrade', scheduled_end_time: fromNow(60).toISOString() })
  await processes.pass('50 minutes')
  expect((await read(id)).status).toBe('in_progress')
  await processes.pass('11 minutes')
  expect(await turnsOf(id)).toEqual(['in_progress', 'completed'])
  expect((await keysOf(service, id)).filter((key) => key === 'maintenance.reminder')).toHaveLength(2)
})

test('a start or completion by hand replaces the scheduled one, and the schedule continues', async () => {
  const { id, workflowId } = await create({ ...window(60, 120), auto_transition_enabled: true })
  await processes.pass('59 minutes')
  await service.admin.post(`${path}/${id}/start`)
  await processes.pass('2 minutes')
  expect(await turnsOf(id)).toEqual(['in_progress'])
  await processes.pass('58 minutes')
  await service.admin.post(`${path}/${id}/complete`)
  await processes.pass('1 hour')
  expect(await turnsOf(id)).toEqual(['in_progress', 'completed'])
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'done' })
})

test('a cancelled maintenance never starts, and a maintenance with new automatic transitions starts', async () => {
  const cancelled = await create({ ...window(30, 60), auto_transition_enabled: true })
  const switched = await create(window(30, 60))
  const off = await create({ ...window(30, 60), auto_transition_enabled: true })
  await processes.pass('10 minutes')
  await service.admin.post(`${path}/${cancelled.id}/cancel`)
  await service.admin.patch(`${path}/${switched.id}`, { title: 'On', auto_transition_enabled: true })
  await service.admin.patch(`${path}/${off.id}`, { title: 'Off', auto_transition_enabled: false })
  await processes.pass('1 hour')
  expect(await turnsOf(cancelled.id)).toEqual(['cancelled'])
  expect(await turnsOf(switched.id)).toEqual(['in_progress', 'completed'])
  expect(await turnsOf(off.id)).toEqual([])
})
