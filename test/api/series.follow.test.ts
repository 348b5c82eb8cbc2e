import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { type Listed, occurrencesOf, seriesPath, windowsOf } from '../support/series.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())
beforeEach(() => {
  service.now = now
})

const tuesdays = {
  ...{ recurrence_type: 'weekly', weekday: 2, timezone: 'Europe/Berlin', generate_months: 1 },
  ...{ start_time: '02:30', start_date: '2026-11-24', duration_minutes: 60 },
}
async function create(changes: object = {}) {
  const said = { title: 'Weekly', affected_items: [{ id: item }], ...tuesdays, ...changes }
  const { status, body } = await service.admin.post(seriesPath, said)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id as number, windows: await windowsOf(service, body.id) }
}
const change = (id: number, said: object) => service.admin.patch(`${seriesPath}/${id}`, { title: 'Weekly', ...said })
const act = (id: number, what: string, said: object = {}) => service.admin.post(`${seriesPath}/${id}/${what}`, said)
const edit = (one: Listed, said: object) =>
  service.admin.patch(`/admin/maintenances/${one.maintenance_id}`, { title: 'Edited', ...said })
const post = (one: Listed, what: string) => service.admin.post(`/admin/maintenances/${one.maintenance_id}/${what}`)
const read = async (one: Listed) => (await service.admin.get(`/admin/maintenances/${one.maintenance_id}`)).body
const summary = (list: Listed[]) =>
  list.map(({ index, scheduled_start_time, status }) => [index, scheduled_start_time.slice(5, 16), status])
const resultOf = async (id: number) => {
  const { notifications } = (await service.admin.get(`/admin/notifications?subject=series:${id}`)).body
  return notifications[0]?.data
}

test('a skip far ahead makes no windows when the schedule changes, and stays with its index', async () => {
  const { id, windows } = await create()
  await act(id, 'occurrences/40/skip', { reason: 'Far' })
  await change(id, { start_time: '03:30' })
  expect(await windowsOf(service, id)).toHaveLength(windows.length)
  const [far] = (await occurrencesOf(service, id, 'until=2028-01-01T00:00:00Z&limit=500')).filter(
    ({ index }) => index === 40,
  )
  expect(far).toMatchObject({ status: 'skipped', skip_reason: 'Far', original_start_time: '2027-08-24T01:30:00.000Z' })
})

test('a paused series follows a new schedule with the windows that it has, and makes none', async () => {
  const { id } = await create({ status: 'paused' })
  await act(id, 'occurrences/30/skip')
  await change(id, { start_time: '03:30' })
  expect(await windowsOf(service, id)).toEqual([])
  const other = await create()
  await act(other.id, 'pause')
  await change(other.id, { recurrence_type: 'daily' })
  expect(await resultOf(other.id)).toBeUndefined()
  expect(await windowsOf(service, other.id)).toEqual(other.windows)
  await act(other.id, 'resume')
  expect(summary((await windowsOf(service, other.id)).slice(4, 6))).toEqual([
    [5, '12-16T01:30', 'created'],
    [6, '12-17T01:30', 'created'],
  ])
})

test('a day on which it has begun has no second window, and nothing begins while it goes on', async () => {
  service.now = new Date('2026-11-21T11:50:00.000Z')
  const daily = { recurrence_type: 'daily', weekday: null, timezone: 'UTC', start_date: '2026-11-21' }
  const { id, windows } = await create({ ...daily, start_time: '11:55', duration_minutes: 30, max_occurrences: 3 })
  service.now = now
  await post(windows[0]!, 'start')
  await change(id, { start_time: '12:05' })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-21T11:55', 'created'],
    [2, '11-22T12:05', 'created'],
    [3, '11-23T12:05', 'created'],
  ])
  await change(id, { recurrence_rule: 'FREQ=DAILY;BYHOUR=12,18;BYMINUTE=10' })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-21T11:55', 'created'],
    [2, '11-22T12:10', 'created'],
    [3, '11-23T12:05', 'cancelled'],
    [4, '11-21T18:10', 'created'],
  ])
})

test('an edited occurrence takes a place of the new plan, and of the count', async () => {
  const { id, windows } = await create({ max_occurrences: 4 })
  await edit(windows[1]!, { scheduled_start_time: '2026-12-08T05:00:00Z', scheduled_end_time: '2026-12-08T06:00:00Z' })
  const { body } = await change(id, { weekday: 3 })
  expect(body.kept_occurrences).toMatchObject([{ index: 2, scheduled_start_time: '2026-12-08T05:00:00.000Z' }])
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-25T01:30', 'created'],
    [2, '12-08T05:00', 'created'],
    [3, '12-09T01:30', 'created'],
    [4, '12-16T01:30', 'created'],
  ])
})

test('one that was started early takes its place as well', async () => {
  const { id, windows } = await create({ max_occurrences: 3 })
  await post(windows[0]!, 'start')
  await change(id, { weekday: 3 })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-24T01:30', 'created'],
    [2, '12-02T01:30', 'created'],
    [3, '12-09T01:30', 'created'],
  ])
  expect(await read(windows[0]!)).toMatchObject({ occurrence_index: 1, status: 'in_progress' })
})

test('skipped and cancelled occurrences stay so on a new day and keep their index', async () => {
  const { id, windows } = await create({ max_occurrences: 4 })
  await act(id, 'occurrences/2/skip', { reason: 'Holiday' })
  await post(windows[2]!, 'cancel')
  await change(id, { weekday: 3 })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-25T01:30', 'created'],
    [2, '12-01T01:30', 'skipped'],
    [3, '12-08T01:30', 'cancelled'],
    [4, '12-16T01:30', 'created'],
  ])
  const [, second] = await occurrencesOf(service, id)
  expect(second).toMatchObject({ original_start_time: '2026-12-02T01:30:00.000Z', skip_reason: 'Holiday' })
  expect(await read(windows[2]!)).toMatchObject({ series_id: id, occurrence_index: 3 })
  expect((await act(id, 'occurrences/2/unskip')).body).toMatchObject({
    ...{ status: 'created', scheduled_start_time: '2026-12-02T01:30:00.000Z' },
  })
  expect(await read(windows[1]!)).not.toHaveProperty('series_id')
})

test('a skip outlives a plan that has no place for it', async () => {
  const { id } = await create()
  await act(id, 'occurrences/2/skip', { reason: 'Holiday' })
  await change(id, { interval_weeks: 2 })
  const all = await occurrencesOf(service, id, 'until=2026-12-20T00:00:00Z')
  expect(all.find(({ index }) => index === 2)).toMatchObject({ status: 'skipped', skip_reason: 'Holiday' })
})

test('a smaller count cancels the last of them', async () => {
  const { id } = await create({ max_occurrences: 4 })
  await change(id, { max_occurrences: 2 })
  expect(summary(await occurrencesOf(service, id)).map(([index, , status]) => [index, status])).toEqual([
    [1, 'created'],
    [2, 'created'],
    [3, 'cancelled'],
    [4, 'cancelled'],
  ])
})

test('an edited window that was moved behind its own time is listed as kept', async () => {
  const { id, windows } = await create()
  await edit(windows[0]!, { scheduled_start_time: '2026-11-28T05:00:00Z', scheduled_end_time: '2026-11-28T06:00:00Z' })
  service.now = new Date('2026-11-25T12:00:00.000Z')
  expect((await change(id, { start_time: '05:00' })).body.kept_occurrences).toMatchObject([{ index: 1 }])
  expect((await act(id, 'end')).body.kept_occurrences).toMatchObject([{ index: 1 }])
})

test('starting, completing or annotating a window does not cut it off from its series', async () => {
  const { id, windows } = await create()
  await service.admin.patch(`/admin/maintenances/${windows[0]!.maintenance_id}`, {
    title: 'Weekly',
    status: 'in_progress',
  })
  await service.admin.patch(`/admin/maintenances/${windows[1]!.maintenance_id}`, { title: 'Weekly' })
  await service.admin.post(`/admin/maintenances/${windows[2]!.maintenance_id}/updates`, { message: 'Soon.' })
  expect((await windowsOf(service, id)).map(({ edited }) => edited)).toEqual(windows.map(() => false))
})

test('a skip and the deletion of its window, at once, are both answered', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id, windows } = await create({ max_occurrences: 2 })
    const [skip, removal] = await Promise.all([
      act(id, 'occurrences/1/skip'),
      service.admin.del(`/admin/maintenances/${windows[0]!.maintenance_id}`),
    ])
    expect([skip.status, removal.status, skip.body.error]).toEqual([200, 200, undefined])
  }
})

test.each([
  ['end', 'announced_by_series', (id: number) => act(id, 'end')],
  ['end without a notification', 'notify_false', (id: number) => act(id, 'end', { notify: false })],
  ['change', 'announced_by_series', (id: number) => change(id, { max_occurrences: 1 })],
  ['change without a notification', 'notify_false', (id: number) => change(id, { max_occurrences: 1, notify: false })],
  ['deletion', 'series_deleted', (id: number) => service.admin.del(`${seriesPath}/${id}`)],
])('the %s of a series gives the windows that it cancels the reason %s', async (_what, reason, cancel) => {
  const { id, windows } = await create()
  await cancel(id)
  const { body } = await service.admin.get(`/admin/maintenances/${windows.at(-1)!.maintenance_id}/notifications`)
  expect(body.events[0]).toMatchObject({
    notification: { key: 'maintenance.cancelled', withheld: reason },
    not_sent: [{ reason, count: 0 }],
  })
})

test('the end of a plain create can be moved at its series', async () => {
  const { body: first } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Plain', affected_items: [{ id: item }], recurrence_rule: 'FREQ=WEEKLY' },
    ...{ scheduled_start_time: '2026-11-24T10:00:00Z', scheduled_end_time: '2026-11-24T11:00:00Z' },
    recurrence_end_time: '2026-12-03T00:00:00Z',
  })
  const count = async () => (await occurrencesOf(service, first.series_id)).length
  expect(await count()).toBe(2)
  const moved = await change(first.series_id, { recurrence_end_time: '2026-12-20T00:00:00Z' })
  expect(moved.body.recurrence_end_time).toBe('2026-12-20T00:00:00.000Z')
  expect(await count()).toBe(4)
  expect((await change(first.series_id, { recurrence_end_time: null })).body).not.toHaveProperty('recurrence_end_time')
  expect(await count()).toBeGreaterThan(20)
})

test('a change of what the windows do not show leaves them alone', async () => {
  const { id, windows } = await create()
  const before = await read(windows[0]!)
  await change(id, { generate_months: 2 })
  expect(await read(windows[0]!)).toEqual(before)
})

test('a series that began years ago is made at once', async () => {
  const { windows } = await create({ recurrence_type: 'daily', weekday: null, start_date: '2022-01-01' })
  expect(windows.length).toBeGreaterThan(25)
  expect(windows[0]!.index).toBe(1787)
})

test('the notes of a change and of an end count windows in words', async () => {
  const { id } = await create({ max_occurrences: 1 })
  await change(id, { start_time: '03:30' })
  await act(id, 'end')
  const { events } = (await service.admin.get(`/admin/workflows/series:${id}/history`)).body
  const [end, moved] = events.map(({ message }: { message: string }) => message)
  expect(moved).toMatch(/, with a new schedule: 1 window moved, 0 created, 0 cancelled$/)
  expect(end).toMatch(/: 1 window cancelled, 0 edited windows kept$/)
})

test('a window of today counts, though the new schedule has no place on its day', async () => {
  const { id, windows } = await create({ max_occurrences: 3 })
  service.now = new Date('2026-11-24T01:30:00.000Z')
  await post(windows[0]!, 'start')
  service.now = new Date('2026-11-24T12:00:00.000Z')
  await post(windows[0]!, 'complete')
  await change(id, { weekday: 4 })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-24T01:30', 'completed'],
    [2, '11-26T01:30', 'created'],
    [3, '12-03T01:30', 'created'],
  ])
})

test('a window whose time has passed without a start is not moved into the future', async () => {
  const { id } = await create({ recurrence_type: 'daily', weekday: null, max_occurrences: 3 })
  service.now = new Date('2026-11-24T12:00:00.000Z')
  await change(id, { duration_minutes: 30 })
  expect(summary(await occurrencesOf(service, id))).toEqual([
    [1, '11-24T01:30', 'created'],
    [2, '11-25T01:30', 'created'],
    [3, '11-26T01:30', 'created'],
  ])
})
