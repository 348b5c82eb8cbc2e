import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { keysOf, makeItem, statusOf } from '../support/maintenances.ts'
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

const weekly = {
  ...{ recurrence_type: 'weekly', weekday: 2, timezone: 'Europe/Berlin', generate_months: 1 },
  ...{ start_time: '02:30', start_date: '2026-11-24', duration_minutes: 60 },
}
async function create(changes: object = {}) {
  const said = { title: 'Weekly', affected_items: [{ id: item }], ...weekly, ...changes }
  const { body } = await service.admin.post(seriesPath, said)
  return { id: body.id as number, windows: await windowsOf(service, body.id) }
}
const change = (id: number, said: object) => service.admin.patch(`${seriesPath}/${id}`, { title: 'Weekly', ...said })
const act = (id: number, what: string, said: object = {}) => service.admin.post(`${seriesPath}/${id}/${what}`, said)
const edit = (one: Listed, said: object) =>
  service.admin.patch(`/admin/maintenances/${one.maintenance_id}`, { title: 'Edited', ...said })
const summary = (list: Listed[]) =>
  list.map(({ index, scheduled_start_time, status }) => [index, scheduled_start_time.slice(5, 16), status])

async function eventsOf(id: number) {
  const { notifications } = (await service.admin.get(`/admin/notifications?subject=series:${id}`)).body
  return notifications.map((event: { key: string; data: object }) => [event.key, event.data])
}

test('future windows take over the changed fields of the series, except edited windows', async () => {
  const { id, windows } = await create()
  await edit(windows[1]!, {})
  const other = await makeItem(service, 'Queue')
  const translations = [{ locale: 'de', values: { title: 'Neu' }, state: 'published' }]
  const said = { title: 'New', description: 'More', auto_transition_enabled: true, translations, version: 1 }
  const { status, body } = await change(id, { ...said, affected_items: [{ id: other }] })
  expect([status, body.version]).toEqual([200, 2])
  expect(body.kept_occurrences).toMatchObject([{ index: 2, edited: true }])
  const read = async (one: Listed) => (await service.admin.get(`/admin/maintenances/${one.maintenance_id}`)).body
  expect(await read(windows[0]!)).toMatchObject({
    ...{ title: 'New', description: 'More', auto_transition_enabled: true, version: 2 },
    ...{ affected_items: [{ id: other }], translations: [{ locale: 'de', values: { title: 'Neu' } }] },
  })
  expect(await read(windows[1]!)).toMatchObject({ title: 'Edited', description: '', affected_items: [{ id: item }] })
  expect(await eventsOf(id)).toEqual([])
  expect((await change(id, { version: 1 })).body).toMatchObject({ current_version: 2 })
  expect((await service.admin.patch(`${seriesPath}/${id}`, { description: 'x' })).body.errors[0].path).toBe('title')
})

test('another time moves the windows to come, each staying who it is; edited and skipped ones stay', async () => {
  const { id, windows } = await create()
  await edit(windows[1]!, { scheduled_start_time: '2026-12-01T05:00:00Z', scheduled_end_time: '2026-12-01T06:00:00Z' })
  await act(id, 'occurrences/3/skip', { reason: 'Holiday' })
  const { body } = await change(id, { start_time: '04:00', duration_minutes: 30 })
  expect(body.kept_occurrences).toMatchObject([{ index: 2, scheduled_start_time: '2026-12-01T05:00:00.000Z' }])
  const all = await occurrencesOf(service, id, 'until=2026-12-30T00:00:00Z')
  expect(summary(all)).toEqual([
    [1, '11-24T03:00', 'created'],
    [2, '12-01T05:00', 'created'],
    [3, '12-08T01:30', 'skipped'],
    [4, '12-15T03:00', 'created'],
    [5, '12-22T03:00', 'planned'],
    [6, '12-29T03:00', 'planned'],
  ])
  expect(all[0]).toMatchObject({
    ...{ maintenance_id: windows[0]!.maintenance_id, scheduled_end_time: '2026-11-24T03:30:00.000Z' },
    original_start_time: '2026-11-24T03:00:00.000Z',
  })
  const next_starts = ['2026-11-24T03:00:00.000Z', '2026-12-01T05:00:00.000Z', '2026-12-15T03:00:00.000Z']
  const data = { moved: 2, made: 0, cancelled: 0, next_starts, coming: 3 }
  expect(await eventsOf(id)).toEqual([['series.rescheduled', data]])
  expect(await keysOf(service, windows[0]!.maintenance_id!)).toEqual(['maintenance.scheduled'])
})

test('a new schedule that changes no window writes no notification', async () => {
  const { id, windows } = await create({ start_date: '2027-03-02' })
  expect(windows).toEqual([])
  expect((await change(id, { title: 'Weekly restart', start_time: '04:00' })).body.version).toBe(2)
  expect(await eventsOf(id)).toEqual([])
})

test('on another day the third to come is the third still', async () => {
  const { id, windows } = await create()
  await change(id, { weekday: 4 })
  const all = await windowsOf(service, id)
  expect(summary(all)).toEqual([
    [1, '11-26T01:30', 'created'],
    [2, '12-03T01:30', 'created'],
    [3, '12-10T01:30', 'created'],
    [4, '12-17T01:30', 'created'],
  ])
  expect(all.map(({ maintenance_id }) => maintenance_id)).toEqual(windows.map(({ maintenance_id }) => maintenance_id))
})

test('a thinner plan cancels what it has no place for, a denser one makes more, and no index is given twice', async () => {
  const { id, windows } = await create()
  await change(id, { interval_weeks: 2 })
  const standing = async () => summary(await windowsOf(service, id)).filter(([, , status]) => status === 'created')
  expect(await standing()).toEqual([
    [1, '11-24T01:30', 'created'],
    [3, '12-08T01:30', 'created'],
  ])
  const gone = (await service.admin.get(`/admin/maintenances/${windows[1]!.maintenance_id}`)).body
  expect(gone).toMatchObject({ status: 'cancelled' })
  expect(await keysOf(service, gone.id)).toEqual([])
  await change(id, { interval_weeks: 1 })
  expect(await standing()).toEqual([
    [1, '11-24T01:30', 'created'],
    [3, '12-08T01:30', 'created'],
    [5, '12-01T01:30', 'created'],
    [6, '12-15T01:30', 'created'],
  ])
  expect((await occurrencesOf(service, id)).map(({ index }) => index).slice(6, 8)).toEqual([7, 8])
})

test('of another type, what only the old one had is gone', async () => {
  const { id } = await create()
  const { status, body } = await change(id, { recurrence_type: 'daily' })
  expect([status, body.recurrence_type]).toEqual([200, 'daily'])
  expect(body).not.toHaveProperty('weekday')
  expect((await change(id, { recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO' })).body.recurrence_type).toBe('rrule')
  expect((await change(id, { recurrence_type: 'monthly_by_weekday', ordinal_week: 1, weekday: 1 })).status).toBe(200)
})

test('an edit of a window during a change of the series is not overwritten', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, windows } = await create()
    const answers = await Promise.all([
      change(id, { start_time: '05:00', title: 'Changed' }),
      ...windows.map((one) => edit(one, { impact: 'By hand' })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const one of await windowsOf(service, id)) {
      const { body } = await service.admin.get(`/admin/maintenances/${one.maintenance_id}`)
      expect([one.edited, body.title, body.impact]).toEqual([true, 'Edited', 'By hand'])
    }
  }
})

test('a window that is skipped during its start is either skipped or started', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, windows } = await create()
    const [skipped, started] = await Promise.all([
      act(id, 'occurrences/1/skip'),
      service.admin.post(`/admin/maintenances/${windows[0]!.maintenance_id}/start`),
    ])
    expect([skipped.status, started.status].sort()).toEqual([200, 409])
    expect(await statusOf(service, item)).toBe(started.status === 200 ? 'maintenance' : 'operational')
    await service.admin.post(`/admin/maintenances/${windows[0]!.maintenance_id}/complete`)
  }
})

test('what has passed stays as it was', async () => {
  const { id } = await create()
  service.now = new Date('2026-12-02T12:00:00.000Z')
  await change(id, { start_time: '05:00' })
  expect(summary(await windowsOf(service, id)).slice(0, 3)).toEqual([
    [1, '11-24T01:30', 'created'],
    [2, '12-01T01:30', 'created'],
    [3, '12-08T04:00', 'created'],
  ])
})

test('max_occurrences holds through changes, and skipped ones count', async () => {
  const { id } = await create({ max_occurrences: 4 })
  await act(id, 'occurrences/2/skip')
  await change(id, { start_time: '05:00' })
  expect(summary(await occurrencesOf(service, id)).map(([index, , status]) => [index, status])).toEqual([
    [1, 'created'],
    [2, 'skipped'],
    [3, 'created'],
    [4, 'created'],
  ])
})

test('an occurrence with or without a window can be skipped with a reason and unskipped', async () => {
  const { id, windows } = await create()
  const skipped = await act(id, 'occurrences/2/skip', { reason: 'Holiday' })
  expect(skipped.body).toMatchObject({ index: 2, status: 'skipped', skip_reason: 'Holiday' })
  const cancelled = (await service.admin.get(`/admin/maintenances/${windows[1]!.maintenance_id}`)).body
  expect(cancelled.status).toBe('cancelled')
  expect((await act(id, 'occurrences/2/skip')).body).toEqual(skipped.body)
  expect((await act(id, 'occurrences/9/skip')).body).toMatchObject({ index: 9, status: 'skipped' })
  const again = await act(id, 'occurrences/2/unskip')
  expect(again.body).toMatchObject({ index: 2, status: 'created', original_start_time: '2026-12-01T01:30:00.000Z' })
  expect(again.body.maintenance_id).not.toBe(windows[1]!.maintenance_id)
  service.now = new Date('2027-01-15T12:00:00.000Z')
  await change(id, { description: 'The windows up to the middle of February are made.' })
  const listed = await occurrencesOf(service, id)
  expect(listed.find(({ index }) => index === 9)).toMatchObject({ status: 'skipped' })
  expect((await act(id, 'occurrences/9/unskip')).body).toMatchObject({ status: 'created' })
  expect((await act(id, 'occurrences/10/unskip')).status).toBe(200)
  expect((await act(id, 'occurrences/500/skip')).status).toBe(200)
  expect((await act(id, 'occurrences/0/skip')).status).toBe(400)
  const far = await act(id, 'occurrences/30000/skip')
  expect([far.status, far.body.errors]).toEqual([
    400,
    [{ path: 'index', message: 'lies more than 10000 occurrences after the next occurrence to be created, 13' }],
  ])
  await act(id, 'occurrences/10/skip')
  service.now = new Date('2027-03-01T12:00:00.000Z')
  expect((await act(id, 'occurrences/10/unskip')).status).toBe(409)
})

test('unskipping a window that was cancelled in another way is refused with the reason', async () => {
  const { id, windows } = await create()
  const [first, second, third] = windows
  const refusal = async (one: Listed) => {
    const { status, body } = await act(id, `occurrences/${one.index}/unskip`)
    return [status, body.error]
  }
  await service.admin.post(`/admin/maintenances/${first!.maintenance_id}/cancel`)
  const plan = 'Create another maintenance for that time.'
  expect(await refusal(first!)).toEqual([
    409,
    `Occurrence 1 was not skipped: its maintenance ${first!.maintenance_id} was cancelled. ${plan}`,
  ])
  await service.admin.del(`/admin/maintenances/${third!.maintenance_id}`)
  expect(await refusal(third!)).toEqual([409, `Occurrence 3 was not skipped: its maintenance was deleted. ${plan}`])
  await change(id, { interval_weeks: 2 })
  expect(await refusal(second!)).toEqual([
    409,
    'Occurrence 2 was not skipped: the new schedule of the series has no place for the occurrence.',
  ])
})

test('the history of a series names the windows that were created', async () => {
  const { id, windows } = await create()
  const [first, last] = [windows[0]!, windows.at(-1)!]
  await act(id, 'occurrences/1/skip')
  await act(id, 'occurrences/1/unskip')
  const again = (await windowsOf(service, id))[0]!
  await lookAt(id)
  const { body } = await service.admin.get(`/admin/workflows/series:${id}/history`)
  const ofCreation = body.events.toReversed().slice(0, 2)
  expect(ofCreation.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/^woken by the creation of series /),
    expect.stringMatching(/^created 4 windows: /),
  ])
  const created = body.events.filter(({ cause }: { cause: string }) => cause === 'request')
  expect(created.map(({ message }: { message: string }) => message).reverse()).toEqual([
    `created 4 windows: occurrences 1 to 4, maintenances ${first.maintenance_id} to ${last.maintenance_id}, from 2026-11-24 02:30 (01:30 UTC) to 2026-12-15 02:30 (01:30 UTC) in Europe/Berlin`,
    `created 1 window: occurrence 1, maintenance ${again.maintenance_id}, at 2026-11-24 02:30 (01:30 UTC) in Europe/Berlin`,
  ])
  service.now = new Date('2026-12-02T12:00:00.000Z')
  await lookAt(id)
  const { events } = (await service.admin.get(`/admin/workflows/series:${id}/history?limit=1`)).body
  const [, , , , fifth, sixth] = await windowsOf(service, id)
  expect(events[0]).toMatchObject({
    cause: 'horizon',
    message: `created 2 windows: occurrences 5 to 6, maintenances ${fifth!.maintenance_id} to ${sixth!.maintenance_id}, from 2026-12-22 02:30 (01:30 UTC) to 2026-12-29 02:30 (01:30 UTC) in Europe/Berlin`,
  })
})

/** As its process does. */
const lookAt = (id: number) =>
  takeStep(service.services, steps.series, { kind: 'series', pageId: service.page.id, id, now: service.now })

test('what has begun is not skipped', async () => {
  const { id, windows } = await create()
  await service.admin.post(`/admin/maintenances/${windows[0]!.maintenance_id}/start`)
  expect((await act(id, 'occurrences/1/skip')).status).toBe(409)
  await service.admin.post(`/admin/maintenances/${windows[0]!.maintenance_id}/complete`)
  expect((await occurrencesOf(service, id))[0]).toMatchObject({ index: 1, status: 'completed' })
})

test('paused it makes no more windows, and resumed it passes over what has passed', async () => {
  const { id, windows } = await create()
  const paused = await act(id, 'pause')
  expect(paused.body).toMatchObject({ status: 'paused', version: 2 })
  expect((await act(id, 'pause')).body).toEqual(paused.body)
  service.now = new Date('2027-02-15T12:00:00.000Z')
  await change(id, { description: 'Still paused' })
  expect(await windowsOf(service, id)).toHaveLength(windows.length)
  expect((await act(id, 'resume')).body.status).toBe('active')
  expect((await windowsOf(service, id)).slice(windows.length).map(({ index }) => index)).toEqual([13, 14, 15, 16])
})

test('ended it cancels what is to come, except what was edited, and stays ended', async () => {
  const { id, windows } = await create()
  await edit(windows[2]!, {})
  const ended = await act(id, 'end')
  expect(ended.body).toMatchObject({ status: 'ended', kept_occurrences: [{ index: 3 }] })
  expect(summary(await occurrencesOf(service, id)).map(([index, , status]) => [index, status])).toEqual([
    [1, 'cancelled'],
    [2, 'cancelled'],
    [3, 'created'],
    [4, 'cancelled'],
  ])
  expect(await eventsOf(id)).toEqual([['series.rescheduled', { status: 'ended', cancelled: 3 }]])
  expect((await act(id, 'end')).status).toBe(200)
  for (const what of ['resume', 'pause']) expect((await act(id, what)).status).toBe(409)
  expect((await change(id, { title: 'Another' })).status).toBe(409)
})

test('a schedule that makes no sense is refused, and nothing has moved', async () => {
  const { id, windows } = await create()
  expect((await change(id, { duration_minutes: 10_081 })).body.errors[0].path).toBe('duration_minutes')
  expect((await change(id, { timezone: 'Nowhere' })).body.errors[0].path).toBe('timezone')
  expect(await windowsOf(service, id)).toEqual(windows)
})

test('deleted it leaves its windows as maintenances of their own', async () => {
  const { id, windows } = await create()
  await edit(windows[0]!, {})
  expect((await service.admin.del(`${seriesPath}/${id}`)).status).toBe(200)
  expect((await service.admin.get(`${seriesPath}/${id}`)).status).toBe(404)
  const read = async (one: Listed) => (await service.admin.get(`/admin/maintenances/${one.maintenance_id}`)).body
  expect(await read(windows[0]!)).toMatchObject({ status: 'scheduled', title: 'Edited' })
  expect(await read(windows[1]!)).toMatchObject({ status: 'cancelled' })
  expect(await read(windows[1]!)).not.toHaveProperty('series_id')
})

test('a PUT creates a series or replaces its fields', async () => {
  const put = (said: object) =>
    service.admin.request('PUT', `${seriesPath}/external/put-1`, {
      ...{ title: 'Put', affected_items: [{ id: item }], ...weekly, ...said },
    })
  const made = await put({ impact: 'Some' })
  expect(made.status).toBe(201)
  const again = await put({ start_time: '03:00' })
  expect([again.status, again.body.id]).toEqual([200, made.body.id])
  expect(again.body).not.toHaveProperty('impact')
  expect((await windowsOf(service, made.body.id))[0]!.scheduled_start_time).toBe('2026-11-24T02:00:00.000Z')
})
