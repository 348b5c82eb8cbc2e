import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { keysOf, makeItem } from '../support/maintenances.ts'
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

const weekly = {
  recurrence_type: 'weekly',
  weekday: 2,
  timezone: 'Europe/Berlin',
  start_time: '02:30',
  start_date: '2026-11-24T00:00:00Z',
  duration_minutes: 60,
}
const body = (changes: object = {}) => ({
  title: 'Weekly upgrade',
  affected_items: [{ id: item }],
  ...weekly,
  ...changes,
})
const create = (changes: object = {}) => service.admin.post(seriesPath, body(changes))
const starts = (list: Listed[]) => list.map((one) => one.scheduled_start_time)

test('the zone of a series takes its usual spelling', async () => {
  expect((await create({ timezone: 'europe/berlin' })).body.timezone).toBe('Europe/Berlin')
})

test('a series keeps all that it was given, and makes its windows ahead', async () => {
  const said = {
    description: 'Every week.',
    impact: 'Slow logins',
    external_id: 'weekly-1',
    affected_items_freetext: 'the old site',
    chat_channel_id: 'C1',
    auto_transition_enabled: true,
    auto_transition_start_message: 'We begin.',
    auto_transition_complete_message: 'We are done.',
    generate_months: 2,
    max_occurrences: 30,
    ends_on: '2027-12-31T23:00:00Z',
  }
  const translations = [{ locale: 'de', values: { title: 'Wöchentlich' }, state: 'published' }]
  const { status, body: made, headers } = await create({ ...said, translations })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/maintenance-series/${made.id}`])
  expect(made).toMatchObject({
    ...{ ...body(), ...said, start_date: '2026-11-24T00:00:00.000Z', ends_on: '2027-12-31T00:00:00.000Z' },
    ...{ status: 'active', version: 1, affected_items: [{ id: item }], translations: [{ locale: 'de' }] },
  })
  expect((await service.admin.get(`${seriesPath}/external/weekly-1`)).body).toEqual(made)
  const windows = await windowsOf(service, made.id)
  expect([windows.length, windows.at(-1)!.scheduled_start_time]).toEqual([9, '2027-01-19T01:30:00.000Z'])
  const first = (await service.admin.get(`/admin/maintenances/${windows[0]!.maintenance_id}`)).body
  const { external_id, generate_months, max_occurrences, ends_on, ...inherited } = said
  expect(first).toMatchObject({
    ...{ ...inherited, title: 'Weekly upgrade', series_id: made.id, occurrence_index: 1, status: 'scheduled' },
    ...{ scheduled_start_time: '2026-11-24T01:30:00.000Z', scheduled_end_time: '2026-11-24T02:30:00.000Z' },
    ...{ original_start_time: '2026-11-24T01:30:00.000Z', affected_items: [{ id: item }] },
    translations: [{ locale: 'de', values: { title: 'Wöchentlich' }, state: 'published' }],
  })
  expect(await keysOf(service, first.id)).toEqual(['maintenance.scheduled'])
  expect(await keysOf(service, windows[1]!.maintenance_id!)).toEqual([])
  expect(service.woken).toContainEqual({ kind: 'series', id: made.id, pageId: service.page.id })
  expect(service.woken).toContainEqual({ kind: 'maintenance', id: first.id, pageId: service.page.id })
})

test('it keeps its hour on the wall across the end of March, listed before its windows are made', async () => {
  const { body: made } = await create({ generate_months: 1 })
  const list = await occurrencesOf(service, made.id, 'from=2027-03-20T00:00:00Z&until=2027-04-10T00:00:00Z')
  expect(list.map(({ index, scheduled_start_time, status }) => [index, scheduled_start_time, status])).toEqual([
    [18, '2027-03-23T01:30:00.000Z', 'planned'],
    [19, '2027-03-30T00:30:00.000Z', 'planned'],
    [20, '2027-04-06T00:30:00.000Z', 'planned'],
  ])
})

test('a time that a clock change skips moves by the gap, and one that comes twice is the first', async () => {
  const daily = { recurrence_type: 'daily', weekday: undefined }
  const { body: spring } = await create({ ...daily, start_date: '2027-03-27', ends_on: '2027-03-29' })
  expect(starts(await occurrencesOf(service, spring.id))).toEqual([
    '2027-03-27T01:30:00.000Z',
    '2027-03-28T01:30:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ])
  const { body: autumn } = await create({ ...daily, start_date: '2027-10-30', ends_on: '2027-11-01' })
  expect(starts(await occurrencesOf(service, autumn.id, 'until=2028-01-01T00:00:00Z'))).toEqual([
    '2027-10-30T00:30:00.000Z',
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ])
})

test('what was over before it was planned has an index and no window', async () => {
  const { body: made } = await create({ start_date: '2026-11-03', generate_months: 1 })
  const list = await occurrencesOf(service, made.id, 'until=2026-12-10T00:00:00Z')
  expect(list.map(({ index, status }) => [index, status])).toEqual([
    [4, 'created'],
    [5, 'created'],
    [6, 'created'],
  ])
})

test('a series that began long ago is usable, and a far part of it is listed', async () => {
  const eightADay = {
    recurrence_type: 'rrule',
    recurrence_rule: 'FREQ=DAILY;BYHOUR=0,3,6,9,12,15,18,21',
    weekday: undefined,
  }
  const { status, body: made } = await create({
    ...{ ...eightADay, start_date: '2000-01-01', start_time: '00:00', generate_months: 1 },
  })
  expect(status).toBe(201)
  const [first] = await windowsOf(service, made.id)
  const before = (Date.parse('2026-11-21') - Date.parse('2000-01-01')) / 86_400_000
  // At noon in UTC, the window of 12:00 in Berlin is over, and that of 15:00 is to come.
  expect(first).toMatchObject({ index: before * 8 + 6, scheduled_start_time: '2026-11-21T14:00:00.000Z' })
  const day = 'from=2029-11-21T00:00:00Z&until=2029-11-22T00:00:00Z'
  const far = await occurrencesOf(service, made.id, day)
  expect(starts(far)).toHaveLength(8)
  const next = await service.admin.get(
    `${seriesPath}/${made.id}/occurrences?until=2150-01-01T00:00:00Z&from=2149-01-01T00:00:00Z`,
  )
  expect([next.status, next.body.errors?.[0]?.path]).toEqual([400, 'until'])
  expect(next.body.errors[0].message).toMatch(
    /^reaches 20\d\d-.* more than 10000 occurrences after the next occurrence to be created/,
  )
})

test('24 hours every day that end before the clocks change do not overlap', async () => {
  const daily = { recurrence_type: 'daily', weekday: undefined, duration_minutes: 1440 }
  expect((await create(daily)).body.errors[0].message).toMatch(/2027-03-28/)
  expect((await create({ ...daily, recurrence_end_time: '2027-03-26T12:00:00Z' })).status).toBe(201)
})

test('it ends after so many occurrences', async () => {
  const { body: made } = await create({ max_occurrences: 3, generate_months: 12 })
  expect(await windowsOf(service, made.id)).toHaveLength(3)
})

test('a paused one makes nothing', async () => {
  const { body: made } = await create({ status: 'paused' })
  expect([made.status, await windowsOf(service, made.id)]).toEqual(['paused', []])
})

test('the same request again is answered with what it made, another one is refused', async () => {
  const first = await create({ external_id: 'once', generate_months: 1 })
  const again = await create({ external_id: 'once', generate_months: 1 })
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
  expect((await create({ external_id: 'once', generate_months: 2 })).status).toBe(409)
})

const never = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'
const rule = (recurrence_rule: string) => ({ recurrence_type: 'rrule', recurrence_rule, weekday: undefined })

const refusals: [string, object, string, RegExp][] = [
  ['no affected item', { affected_items: [] }, 'affected_items', /at least one/],
  ['no title', { title: undefined }, 'title', /./],
  ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'timezone', /zone/],
  ['an offset for a zone', { timezone: '+02:00' }, 'timezone', /zone/],
  ['a time that is none', { start_time: '25:00' }, 'start_time', /HH:mm/],
  ['a date that is none', { start_date: '2027-02-30' }, 'start_date', /./],
  ['an end before its start', { ends_on: '2026-11-23' }, 'ends_on', /before/],
  ['no occurrence until its end', { ends_on: '2026-11-24', start_date: '2026-11-24', weekday: 3 }, 'ends_on', /never/],
  ['a rule that never occurs', rule(never), 'recurrence_rule', /never/],
  [
    'a rule that ends before the start',
    rule('FREQ=DAILY;UNTIL=20261120'),
    'recurrence_rule',
    /UNTIL=20261120.*2026-11-24 02:30/,
  ],
  [
    'days of no month in particular',
    rule('FREQ=YEARLY;BYMONTHDAY=15'),
    'recurrence_rule',
    /FREQ=MONTHLY;BYMONTHDAY=15/,
  ],
  ['an end moment before its start', { recurrence_end_time: '2026-11-23T00:00:00Z' }, 'recurrence_end_time', /before/],
  ['no start date', { start_date: undefined }, 'start_date', /^is required$/],
  ['a start beyond the last one there is', { start_date: '2199-12-31' }, 'start_date', /2099-12-31/],
  ['a count that goes on behind 2199', { ...rule('FREQ=YEARLY'), max_occurrences: 500 }, 'max_occurrences', /2200/],
  ['a rule that cannot be read', rule('FREQ=SOMETIMES'), 'recurrence_rule', /FREQ/],
  ['a rule of another type', { recurrence_rule: 'FREQ=DAILY' }, 'recurrence_rule', /weekly/],
  [
    'a window longer than its interval',
    { recurrence_type: 'daily', weekday: undefined, duration_minutes: 1441 },
    'duration_minutes',
    /./,
  ],
  ['no weekday of the month', { recurrence_type: 'monthly_by_weekday' }, 'ordinal_week', /required/],
  ['a fifth week', { recurrence_type: 'monthly_by_weekday', ordinal_week: 5 }, 'ordinal_week', /./],
  ['no type', { recurrence_type: undefined }, 'recurrence_type', /./],
  ['an unknown variable', { auto_transition_start_message: '{{Nothing}}' }, 'auto_transition_start_message', /Nothing/],
]

test.each(refusals)('%s is refused, saved or previewed', async (_what, changes, where, message) => {
  const refused = await create(changes)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, where])
  expect(refused.body.errors[0].message).toMatch(message)
  if (['title', 'affected_items', 'auto_transition_start_message'].includes(where)) return
  const preview = await service.admin.post(`${seriesPath}/preview`, body(changes))
  expect([preview.status, preview.body.errors?.[0].path]).toEqual([400, where])
})

test.each([
  [{ recurrence_type: 'daily' }, ['2026-11-24', '2026-11-25', '2026-11-26']],
  [{ recurrence_type: 'weekly', weekday: 5 }, ['2026-11-27', '2026-12-04', '2026-12-11']],
  [{ recurrence_type: 'weekly', interval_weeks: 2 }, ['2026-11-24', '2026-12-08', '2026-12-22']],
  [{ recurrence_type: 'monthly_by_date', start_date: '2026-12-31' }, ['2026-12-31', '2027-01-31', '2027-03-31']],
  [{ recurrence_type: 'monthly_by_weekday', ordinal_week: -1, weekday: 7 }, ['2026-11-29', '2026-12-27', '2027-01-31']],
  [{ recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU,TH' }, ['2026-11-24', '2026-11-26', '2026-12-01']],
])('the preview of %j shows when it would occur, and stores nothing', async (changes, days) => {
  const { title: _title, affected_items: _items, recurrence_type: _type, weekday: _weekday, ...rest } = body()
  const before = (await service.admin.get(seriesPath)).body.total
  const { status, body: shown } = await service.admin.post(`${seriesPath}/preview`, { ...rest, limit: 3, ...changes })
  expect(status).toBe(200)
  expect(starts(shown.occurrences).map((at) => at.slice(0, 10))).toEqual(days)
  expect(shown.occurrences[0]).toMatchObject({ index: 1, status: 'planned' })
  expect((await service.admin.get(seriesPath)).body.total).toBe(before)
})

test('series are listed, newest first, compact or full', async () => {
  const { body: list } = await service.admin.get(`${seriesPath}?limit=1&status=active`)
  expect(list.series).toHaveLength(1)
  expect(list.series[0]).not.toHaveProperty('affected_items')
  const next = (await service.admin.get(`${seriesPath}?limit=1&status=active&view=full&cursor=${list.next_cursor}`))
    .body
  expect(next.series[0].id).toBeLessThan(list.series[0].id)
  expect(next.series[0].affected_items).toMatchObject([{ id: item }])
})
