import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { notesOf } from '../support/incidents.ts'
import { makeItem, notificationsOf, statusOf } from '../support/maintenances.ts'
import { openShortRunProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { passed } from '../support/wait.ts'

quietRuntime()

/** In real time, with minutes of a second: the server that skips time does not skip while a task waits. */
const MINUTE = 1000

let processes: TestProcesses
let service: TestProcesses['service']
let item: number
/** How many minutes ahead the due moments without a worker are: three times the duration of the preparation. */
let lead: number
beforeAll(async () => {
  processes = await openShortRunProcesses({ minuteMs: MINUTE })
  service = processes.service
  item = await makeItem(service, 'Database')
  await processes.startWorker()
  const begun = Date.now()
  await create(new Date(begun + 3_600_000), new Date(begun + 7_200_000))
  await settled(service)
  await processes.stopWorker()
  lead = Math.max(3, Math.ceil((3 * (Date.now() - begun)) / MINUTE))
})
beforeEach(() => processes.startWorker())
afterEach(() => processes.stopWorker())
afterAll(() => processes?.close())

const path = '/admin/maintenances'
const leads = (body: object) => service.admin.patch('/admin/chat/settings', body)

async function create(start: Date, end: Date) {
  const { body } = await service.admin.post(path, {
    title: 'Upgrade',
    affected_items: [{ id: item }],
    scheduled_start_time: start.toISOString(),
    scheduled_end_time: end.toISOString(),
    auto_transition_enabled: true,
  })
  return { id: body.id as number, workflowId: `maintenance:${body.id}` }
}

test('due changes without a worker are made later in their order, marked as late, with the time of the change', async () => {
  await leads({ maintenance_reminder_pre_start_intervals: '3,2', maintenance_reminder_pre_end_minutes: 1 })
  const begun = Date.now()
  const at = (minutes: number) => new Date(begun + (lead + minutes) * MINUTE)
  const { id, workflowId } = await create(at(3), at(5))
  await settled(service)
  await processes.stopWorker()
  expect(Date.now()).toBeLessThan(at(0).getTime())
  await passed(at(6))
  expect((await service.admin.get(`${path}/${id}`)).body.status).toBe('scheduled')
  const back = new Date()
  await processes.startWorker()
  await settled(service)
  expect(
    (await notificationsOf(service, id)).map(({ key, late, missed, due_at }) => [key, late, missed, due_at]),
  ).toEqual([
    ['maintenance.scheduled', false, 0, expect.any(Date)],
    ['maintenance.reminder', true, 2, at(0)],
    ['maintenance.started', true, 1, at(3)],
    ['maintenance.reminder', true, 1, at(4)],
    ['maintenance.completed', true, 1, at(5)],
  ])
  const { updates, started_at } = (await service.admin.get(`${path}/${id}`)).body
  expect(updates).toMatchObject([
    { status: 'completed', due_at: at(5).toISOString(), late: true },
    { status: 'in_progress', due_at: at(3).toISOString(), late: true },
  ])
  for (const moment of [started_at, updates[0].created_at]) {
    expect(Date.parse(moment)).toBeGreaterThanOrEqual(back.getTime())
  }
  const notes = (await notesOf(service, workflowId)).filter((note) => note.includes('late at'))
  expect(notes.map((note) => note.split(', late at')[0])).toEqual([
    `wrote the reminder due 3 min before the scheduled start, at ${at(0).toISOString()}`,
    `started the maintenance at its scheduled start, ${at(3).toISOString()}`,
    `wrote the reminder due 1 min before the scheduled end, at ${at(4).toISOString()}`,
    `completed the maintenance at its scheduled end, ${at(5).toISOString()}`,
  ])
  expect(await statusOf(service, item)).toBe('operational')
})

test('a maintenance that was moved or cancelled without a worker follows its present schedule', async () => {
  await leads({ maintenance_reminder_pre_start_intervals: null, maintenance_reminder_pre_end_minutes: null })
  const soon = new Date(Date.now() + lead * MINUTE)
  const end = new Date(soon.getTime() + 60_000)
  const far = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const moved = await create(soon, end)
  const cancelled = await create(soon, end)
  await settled(service)
  await processes.stopWorker()
  expect(Date.now()).toBeLessThan(soon.getTime())
  await passed(new Date(soon.getTime() + MINUTE))
  const later = { scheduled_start_time: far(1), scheduled_end_time: far(2) }
  await service.admin.patch(`${path}/${moved.id}`, { title: 'Upgrade', ...later })
  await service.admin.post(`${path}/${cancelled.id}/cancel`)
  await processes.startWorker()
  await settled(service)
  expect((await service.admin.get(`${path}/${moved.id}`)).body).toMatchObject({ status: 'scheduled', updates: [] })
  expect((await service.admin.get(`${path}/${cancelled.id}`)).body.updates).toMatchObject([{ status: 'cancelled' }])
})
