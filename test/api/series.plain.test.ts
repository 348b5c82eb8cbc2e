import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { keysOf, makeItem } from '../support/maintenances.ts'
import { occurrencesOf, seriesPath, windowsOf } from '../support/series.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const path = '/admin/maintenances'
const window = { scheduled_start_time: '2026-11-24T01:30:15.000Z', scheduled_end_time: '2026-11-24T02:30:15.000Z' }
const recurrence = { recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU', recurrence_timezone: 'Europe/Berlin' }
const body = (changes: object = {}) => ({
  ...{ title: 'Upgrade', affected_items: [{ id: item }], ...window, ...recurrence, ...changes },
})
const create = (changes: object = {}) => service.admin.post(path, body(changes))

test('a first window beyond the horizon moves with the time of its series', async () => {
  const [scheduled_start_time, scheduled_end_time] = ['2027-09-01T08:00:00Z', '2027-09-01T09:00:00Z']
  const { body: window } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Far', affected_items: [{ id: item }], scheduled_start_time, scheduled_end_time },
    ...{ recurrence_rule: 'FREQ=WEEKLY', recurrence_timezone: 'Europe/Berlin' },
  })
  await service.admin.patch(`/admin/maintenance-series/${window.series_id}`, { title: 'Far', start_time: '10:10' })
  const { body: moved } = await service.admin.get(`/admin/maintenances/${window.id}`)
  expect(moved).toMatchObject({ status: 'scheduled', scheduled_start_time: '2027-09-01T08:10:00.000Z' })
  const { body } = await service.admin.get(`/admin/maintenance-series/${window.series_id}/occurrences?limit=2`)
  expect(body.occurrences).toMatchObject([{ index: 1, maintenance_id: window.id }, { index: 2 }])
})

test('a create with a rule makes a series, and answers its first window under its external id', async () => {
  const { status, body: first } = await create({ external_id: 'first', recurrence_end_time: '2027-03-31T00:00:00Z' })
  expect(status).toBe(201)
  expect(first).toMatchObject({
    ...{ ...window, ...recurrence, external_id: 'first', version: 1, occurrence_index: 1 },
    ...{ original_start_time: window.scheduled_start_time, recurrence_end_time: '2027-03-31T00:00:00.000Z' },
  })
  expect((await service.admin.get(`${path}/external/first`)).body.id).toBe(first.id)
  expect((await service.admin.get(`${seriesPath}/${first.series_id}`)).body).toMatchObject({
    ...{ title: 'Upgrade', recurrence_type: 'rrule', timezone: 'Europe/Berlin', duration_minutes: 60 },
    ...{ start_time: '02:30', start_date: '2026-11-24T00:00:00.000Z', affected_items: [{ id: item }] },
  })
  const all = await occurrencesOf(service, first.series_id)
  expect([all.at(-1)!.index, all.at(-1)!.scheduled_start_time]).toEqual([19, '2027-03-30T00:30:15.000Z'])
  expect(await keysOf(service, first.id)).toEqual(['maintenance.scheduled'])
  const again = await create({ external_id: 'first', recurrence_end_time: '2027-03-31T00:00:00Z' })
  expect([again.status, again.body.id]).toEqual([200, first.id])
})

test('the first is made even if the next is far', async () => {
  const { body: first } = await create({ recurrence_rule: 'FREQ=YEARLY', ...nextYear })
  expect(first).toMatchObject({ ...nextYear, occurrence_index: 1 })
  expect(await windowsOf(service, first.series_id)).toHaveLength(1)
})
const nextYear = { scheduled_start_time: '2027-10-01T10:00:00.000Z', scheduled_end_time: '2027-10-01T11:00:00.000Z' }

/** Clocks in Berlin show 02:30 twice on that day: at 00:30 in UTC and at 01:30. */
const second = { scheduled_start_time: '2026-10-25T01:30:00.000Z', scheduled_end_time: '2026-10-25T02:30:00.000Z' }

test('the first window is exactly the one asked for, also in the second pass of an hour that comes twice', async () => {
  service.now = new Date('2026-10-20T12:00:00.000Z')
  const weekly = { ...second, recurrence_rule: 'FREQ=WEEKLY' }
  const { status, body: first } = await create(weekly)
  expect([status, first]).toEqual([201, expect.objectContaining({ ...second, occurrence_index: 1 })])
  const alone = await create({ ...second, recurrence_rule: undefined, recurrence_timezone: undefined })
  const change = { title: 'Upgrade', recurrence_rule: 'FREQ=WEEKLY', recurrence_timezone: 'Europe/Berlin' }
  const { body: changed } = await service.admin.patch(`${path}/${alone.body.id}`, change)
  service.now = now
  for (const { id, series_id } of [first, changed]) {
    const all = await occurrencesOf(service, series_id)
    expect(all[0]).toMatchObject({ index: 1, maintenance_id: id, ...second })
    expect(all[1]).toMatchObject({ index: 2, scheduled_start_time: '2026-11-01T01:30:00.000Z' })
  }
})

test('a first window in the second pass stays there as long as its local start does not change', async () => {
  service.now = new Date('2026-10-20T12:00:00.000Z')
  const { body: first } = await create({ ...second, recurrence_rule: 'FREQ=WEEKLY' })
  const change = (said: object) =>
    service.admin.patch(`/admin/maintenance-series/${first.series_id}`, { title: 'Upgrade', ...said })
  const window = async () => (await windowsOf(service, first.series_id))[0]
  await change({ duration_minutes: 90 })
  const longer = { ...second, scheduled_end_time: '2026-10-25T03:00:00.000Z' }
  expect(await window()).toMatchObject({ index: 1, maintenance_id: first.id, ...longer })
  // Between the two passes.
  service.now = new Date('2026-10-25T01:00:00.000Z')
  await change({ duration_minutes: 60 })
  expect(await window()).toMatchObject({ index: 1, maintenance_id: first.id, ...second })
  service.now = new Date('2026-10-20T12:00:00.000Z')
  await change({ start_time: '02:45' })
  expect(await window()).toMatchObject({ index: 1, scheduled_start_time: '2026-10-25T00:45:00.000Z' })
  service.now = now
})

test('a first window that is over already is made all the same, and the next one is the next to come', async () => {
  const over = { scheduled_start_time: '2026-11-03T01:30:15.000Z', scheduled_end_time: '2026-11-03T02:30:15.000Z' }
  const { status, body: first } = await create(over)
  expect([status, first]).toEqual([201, expect.objectContaining({ ...over, occurrence_index: 1 })])
  const all = await occurrencesOf(service, first.series_id)
  expect(all.slice(0, 2)).toMatchObject([{ index: 1 }, { index: 4, scheduled_start_time: '2026-11-24T01:30:15.000Z' }])
})

test.each([
  ['a rule that cannot be read', { recurrence_rule: 'WEEKLY' }, 'recurrence_rule'],
  ['a rule that never occurs', { recurrence_rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'recurrence_rule'],
  ['a rule that the start does not fit', { recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO' }, 'recurrence_rule'],
  [
    'a window that is over and would start by itself',
    {
      scheduled_start_time: '2026-11-03T01:30:15Z',
      scheduled_end_time: '2026-11-03T02:30:15Z',
      auto_transition_enabled: true,
    },
    'scheduled_end_time',
  ],
  ['an unknown zone', { recurrence_timezone: 'Mars/Olympus' }, 'recurrence_timezone'],
  [
    'a window longer than its interval',
    { recurrence_rule: 'FREQ=DAILY', scheduled_end_time: '2026-11-26T01:30:15Z' },
    'scheduled_end_time',
  ],
  ['no end of the window', { scheduled_end_time: null }, 'scheduled_end_time'],
  ['an end before the first', { recurrence_end_time: '2026-11-23T00:00:00Z' }, 'recurrence_end_time'],
  ['a zone without a rule', { recurrence_rule: undefined }, 'recurrence_timezone'],
])('%s is refused', async (_what, changes, where) => {
  const refused = await create(changes)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, where])
})

test('a maintenance that was planned alone may recur from then on', async () => {
  const { body: alone } = await create({ recurrence_rule: undefined, recurrence_timezone: undefined })
  expect(alone).not.toHaveProperty('series_id')
  const change = (said: object) => service.admin.patch(`${path}/${alone.id}`, { title: 'Upgrade', ...said })
  expect((await change({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO' })).status).toBe(400)
  const recurring = await change(recurrence)
  expect(recurring.body).toMatchObject({ ...recurrence, id: alone.id, occurrence_index: 1 })
  const windows = await windowsOf(service, recurring.body.series_id)
  expect([windows[0]!.maintenance_id, windows[0]!.edited, windows.length]).toEqual([alone.id, false, 13])
  expect((await change(recurrence)).status).toBe(200)
  expect((await change({ recurrence_rule: 'FREQ=DAILY' })).body.errors[0].path).toBe('recurrence_rule')
})

test('one occurrence is changed without its series, and keeps who it is', async () => {
  const { body: first } = await create()
  const moved = { scheduled_start_time: '2026-11-25T01:30:15.000Z', scheduled_end_time: '2026-11-25T02:30:15.000Z' }
  const { body: edited } = await service.admin.patch(`${path}/${first.id}`, { title: 'Only this one', ...moved })
  expect(edited).toMatchObject({ ...moved, occurrence_index: 1, original_start_time: window.scheduled_start_time })
  const [one, two] = await occurrencesOf(service, first.series_id)
  expect(one).toMatchObject({ edited: true, original_start_time: window.scheduled_start_time, ...moved })
  expect(two).toMatchObject({ edited: false, scheduled_start_time: '2026-12-01T01:30:15.000Z' })
  expect((await service.admin.get(`${seriesPath}/${first.series_id}`)).body.title).toBe('Upgrade')
})

test('a window that is deleted is not made again', async () => {
  const { body: first } = await create()
  expect((await service.admin.del(`${path}/${first.id}`)).status).toBe(200)
  const [one] = await occurrencesOf(service, first.series_id)
  expect(one).toMatchObject({ index: 1, status: 'cancelled' })
})
