import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { notesOf } from '../support/incidents.ts'
import { makeItem, statusOf, toldOf } from '../support/maintenances.ts'
import { openImpatientWorks, quietRuntime, settled, type Works } from '../support/processes.ts'

jest.setTimeout(120_000)
quietRuntime()

/** In real time, with minutes of a second: the server that skips time does not while a task waits. */
const MINUTE = 1000

let works: Works
let house: Works['house']
let item: number
beforeAll(async () => {
  works = await openImpatientWorks({ minuteMs: MINUTE })
  house = works.house
  item = await makeItem(house, 'Database')
  await works.startWorker()
})
afterAll(() => works?.close())

const path = '/admin/maintenances'
const leads = (body: object) => house.admin.patch('/admin/chat/settings', body)

async function create(start: Date, end: Date) {
  const { body } = await house.admin.post(path, {
    title: 'Upgrade',
    affected_items: [{ id: item }],
    scheduled_start_time: start.toISOString(),
    scheduled_end_time: end.toISOString(),
    auto_transition_enabled: true,
  })
  return { id: body.id as number, workflowId: `maintenance:${body.id}` }
}

test('what came due while nobody worked is done in its order, marked late, at the time at which it is done', async () => {
  await leads({ maintenance_reminder_pre_start_intervals: '6,5', maintenance_reminder_pre_end_minutes: 2 })
  const begun = Date.now()
  const at = (minutes: number) => new Date(begun + minutes * MINUTE)
  const { id, workflowId } = await create(at(9), at(12))
  await settled(house)
  await works.stopWorker()
  await sleep(at(13).getTime() - Date.now())
  expect((await house.admin.get(`${path}/${id}`)).body.status).toBe('scheduled')
  const back = new Date()
  await works.startWorker()
  await settled(house)
  expect((await toldOf(house, id)).map(({ key, late, missed, due_at }) => [key, late, missed, due_at])).toEqual([
    ['maintenance.scheduled', false, 0, expect.any(Date)],
    ['maintenance.reminder', true, 2, at(3)],
    ['maintenance.started', true, 1, at(9)],
    ['maintenance.reminder', true, 1, at(10)],
    ['maintenance.completed', true, 1, at(12)],
  ])
  const { updates, started_at } = (await house.admin.get(`${path}/${id}`)).body
  expect(updates).toMatchObject([
    { status: 'completed', due_at: at(12).toISOString(), late: true },
    { status: 'in_progress', due_at: at(9).toISOString(), late: true },
  ])
  for (const moment of [started_at, updates[0].created_at]) {
    expect(Date.parse(moment)).toBeGreaterThanOrEqual(back.getTime())
  }
  const notes = (await notesOf(house, workflowId)).filter((note) => note.includes('late at'))
  expect(notes.map((note) => note.split(' late at')[0])).toEqual([
    `the reminder before the start due ${at(3).toISOString()} written`,
    `started by its schedule, due ${at(9).toISOString()}`,
    `the reminder before the end due ${at(10).toISOString()} written`,
    `completed by its schedule, due ${at(12).toISOString()}`,
  ])
  expect(await statusOf(house, item)).toBe('operational')
})

test('a window that was moved or cancelled while nobody worked does what it says now', async () => {
  await leads({ maintenance_reminder_pre_start_intervals: null, maintenance_reminder_pre_end_minutes: null })
  const soon = () => new Date(Date.now() + 2 * MINUTE)
  const far = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const moved = await create(soon(), new Date(Date.now() + 60_000))
  const cancelled = await create(soon(), new Date(Date.now() + 60_000))
  await settled(house)
  await works.stopWorker()
  await sleep(3 * MINUTE)
  const later = { scheduled_start_time: far(1), scheduled_end_time: far(2) }
  await house.admin.patch(`${path}/${moved.id}`, { title: 'Upgrade', ...later })
  await house.admin.post(`${path}/${cancelled.id}/cancel`)
  await works.startWorker()
  await settled(house)
  expect((await house.admin.get(`${path}/${moved.id}`)).body).toMatchObject({ status: 'scheduled', updates: [] })
  expect((await house.admin.get(`${path}/${cancelled.id}`)).body.updates).toMatchObject([{ status: 'cancelled' }])
})
