import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '../support/caller.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { readByIcalJs, readByNodeIcal, type Shown } from './readers.ts'

const RANGE = { from: '2026-01-01T00:00:00Z', to: '2028-11-01T00:00:00Z' }

let service: TestService
let admin: Caller
let shop: number
let search: number
let mail: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T12:00:00Z') })
  admin = service.admin
  shop = await makeItem(service, 'Shop')
  search = await makeItem(service, 'Search', { parent_id: shop })
  mail = await makeItem(service, 'Mail')
})
afterAll(() => service.close())

const at = (moment: string) => {
  service.now = new Date(moment)
}

async function read(path = '/calendar.ics'): Promise<Shown[]> {
  const { status, body } = await service.as(undefined).get(`/${path}`)
  expect(status).toBe(200)
  const events = readByIcalJs(body, RANGE)
  expect(readByNodeIcal(body, RANGE)).toEqual(events)
  return events
}

const titled = (events: Shown[], title: string) => events.filter((event) => event.title === title)
const starts = (events: Shown[]) => events.map(({ starts_at }) => starts_at)

const plan = async (title: string, start: string, end?: string, fields: object = {}) => {
  const times = { scheduled_start_time: start, ...(end && { scheduled_end_time: end }) }
  const { status, body } = await admin.post('/admin/maintenances', {
    ...{ title, affected_items: [{ id: search }], ...times, ...fields },
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body.id as number
}

describe('a maintenance', () => {
  let id: number

  test('is an event with the texts and the items of the maintenance', async () => {
    const description = 'New version; with *care*.\nBackslash \\, comma and\r\nEND:VEVENT'
    id = await plan('Upgrade, part 1', '2026-12-01T08:00:00Z', '2026-12-01T10:00:00Z', { description })
    expect(await read()).toEqual([
      {
        ...{ uid: `maintenance-${id}@status.test`, title: 'Upgrade, part 1', sequence: 1, cancelled: false },
        description: description.replace('\r\n', '\n'),
        ...{ starts_at: '2026-12-01T08:00:00Z', ends_at: '2026-12-01T10:00:00Z', items: ['Search'] },
      },
    ])
  })

  test('moves with a higher sequence', async () => {
    const moved = { scheduled_start_time: '2026-12-02T08:00:00Z', scheduled_end_time: '2026-12-02T09:00:00Z' }
    await admin.patch(`/admin/maintenances/${id}`, { title: 'Upgrade', ...moved })
    const [event] = await read()
    expect(event).toMatchObject({ starts_at: '2026-12-02T08:00:00Z', ends_at: '2026-12-02T09:00:00Z', sequence: 2 })
  })

  test('stays cancelled for 30 days', async () => {
    await admin.post(`/admin/maintenances/${id}/cancel`)
    expect(await read()).toMatchObject([{ uid: `maintenance-${id}@status.test`, cancelled: true, sequence: 3 }])
    at('2026-12-23T11:00:00Z')
    expect(await read()).toHaveLength(1)
    at('2026-12-23T13:00:00Z')
    await admin.patch('/admin/settings', { site_subtitle: 'A change' })
    expect(await read()).toEqual([])
    at('2026-11-23T12:00:00Z')
    await admin.del(`/admin/maintenances/${id}`)
  })

  test('without an end is an event at its start, without a start in no calendar', async () => {
    const [first, second] = [
      await plan('Open end', '2026-12-05T08:00:00Z'),
      (await admin.post('/admin/maintenances', { title: 'Some day', affected_items: [{ id: search }] })).body.id,
    ]
    expect(await read()).toMatchObject([{ starts_at: '2026-12-05T08:00:00Z', ends_at: '2026-12-05T08:00:00Z' }])
    for (const one of [first, second]) await admin.del(`/admin/maintenances/${one}`)
  })
})

describe('a series', () => {
  let id: number
  const weekly = () => ({
    ...{ title: 'Weekly', affected_items: [{ id: search }], recurrence_type: 'weekly', weekday: 2 },
    ...{ timezone: 'Europe/Berlin', start_time: '03:30', start_date: '2026-11-01', duration_minutes: 90 },
    generate_months: 2,
  })
  const windows = async () =>
    (await admin.get(`/admin/maintenance-series/${id}/occurrences?until=2027-02-28T00:00:00Z`)).body.occurrences
  const body = async () => (await service.as(undefined).get('//calendar.ics')).body as string

  test('is one recurring event on the clock of its time zone', async () => {
    const made = await admin.post('/admin/maintenance-series', weekly())
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    id = made.body.id
    const text = await body()
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(text).toContain(
      'DTSTART;TZID=Europe/Berlin:20261124T033000\r\nDURATION:PT90M\r\nRRULE:FREQ=WEEKLY;BYDAY=TU\r\n',
    )
    expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n')
    const events = await read()
    expect(events.length).toBeGreaterThan(100)
    expect(new Set(events.map(({ uid }) => uid))).toEqual(new Set([`series-${id}@status.test`]))
    const [winter, summer] = [events[0]!, events.find(({ starts_at }) => starts_at.startsWith('2027-07'))!]
    expect([winter.starts_at, winter.ends_at]).toEqual(['2026-11-24T02:30:00Z', '2026-11-24T04:00:00Z'])
    expect(summer.starts_at).toMatch(/T01:30:00Z$/)
  })

  test('has its moved, cancelled and skipped windows', async () => {
    const [first, second, third, fourth] = await windows()
    const moved = { scheduled_start_time: '2026-11-25T02:30:00Z', scheduled_end_time: '2026-11-25T04:00:00Z' }
    await admin.patch(`/admin/maintenances/${first.maintenance_id}`, { title: 'Weekly', ...moved })
    await admin.post(`/admin/maintenances/${second.maintenance_id}/cancel`)
    await admin.post(`/admin/maintenance-series/${id}/occurrences/${third.index}/skip`)
    await admin.patch(`/admin/maintenances/${fourth.maintenance_id}`, { title: 'Weekly, and more' })
    const events = (await read()).slice(0, 4)
    expect(events).toMatchObject([
      { starts_at: '2026-11-25T02:30:00Z', ends_at: '2026-11-25T04:00:00Z', cancelled: false },
      { starts_at: '2026-12-01T02:30:00Z', cancelled: true },
      { starts_at: '2026-12-15T02:30:00Z', title: 'Weekly, and more' },
      { starts_at: '2026-12-22T02:30:00Z', title: 'Weekly', cancelled: false },
    ])
    expect(new Set(events.map(({ uid }) => uid))).toEqual(new Set([`series-${id}@status.test`]))
    const text = await body()
    expect(text).toContain('EXDATE;TZID=Europe/Berlin:20261208T033000\r\n')
    expect(text.match(/RECURRENCE-ID;TZID=Europe\/Berlin:\w+/g)?.sort()).toEqual([
      'RECURRENCE-ID;TZID=Europe/Berlin:20261124T033000',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261201T033000',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261215T033000',
    ])
  })

  test('with a new schedule begins where the schedule begins; the other windows are events of their own', async () => {
    const changed = await admin.patch(`/admin/maintenance-series/${id}`, { title: 'Weekly', weekday: 4 })
    expect(changed.status).toBe(200)
    const shown = (await read()).filter(({ cancelled }) => !cancelled).slice(0, 5)
    const listed = (await windows()).filter(({ status }: { status: string }) => status === 'created')
    const planned = listed.map((one: { scheduled_start_time: string }) => one.scheduled_start_time.replace('.000', ''))
    expect(starts(shown)).toEqual(planned.sort().slice(0, 5))
  })

  test('ends with its last window once it is paused, and is gone 30 days after its end', async () => {
    await admin.post(`/admin/maintenance-series/${id}/pause`)
    const paused = await read()
    const created = (await windows()).filter(({ status }: { status: string }) => status === 'created')
    expect(paused.filter(({ cancelled }) => !cancelled)).toHaveLength(created.length)
    await admin.post(`/admin/maintenance-series/${id}/resume`)
    await admin.post(`/admin/maintenance-series/${id}/end`)
    const ended = await read()
    expect(ended.filter(({ cancelled }) => cancelled).length).toBeGreaterThan(3)
    at('2027-02-23T12:00:00Z')
    await admin.patch('/admin/settings', { site_subtitle: 'Another change' })
    expect((await read()).filter(({ cancelled }) => cancelled)).toEqual([])
    at('2026-11-23T12:00:00Z')
    await admin.del(`/admin/maintenance-series/${id}`)
    for (const { maintenance_id } of created) await admin.del(`/admin/maintenances/${maintenance_id}`)
  })

  test('at a time that clock changes skip has an event for each window', async () => {
    const daily = { ...weekly(), recurrence_type: 'daily', weekday: undefined, start_time: '02:30', title: 'Nightly' }
    const { body: made } = await admin.post('/admin/maintenance-series', daily)
    id = made.id
    const events = titled(await read(), 'Nightly')
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
    expect(starts(events)).toEqual(
      (await windows()).flatMap((one: { status: string; scheduled_start_time: string }) =>
        one.status === 'created' ? [one.scheduled_start_time.replace('.000', '')] : [],
      ),
    )
    expect(await body()).not.toContain('RRULE:FREQ=DAILY')
    await admin.del(`/admin/maintenance-series/${id}`)
  })
})

describe('the calendar of an item', () => {
  test('has the maintenances of the item and of the items below it, and no other item', async () => {
    await plan('Of both', '2027-01-01T08:00:00Z', '2027-01-01T09:00:00Z', {
      affected_items: [{ id: search }, { id: mail }],
      affected_items_freetext: 'Secret machines',
    })
    await plan('Of mail', '2027-01-02T08:00:00Z', '2027-01-02T09:00:00Z', { affected_items: [{ id: mail }] })
    const ofShop = await read(`/items/${shop}/calendar.ics`)
    expect(ofShop.filter(({ title }) => title.startsWith('Of'))).toMatchObject([
      { title: 'Of both', items: ['Search'] },
    ])
    const ofMail = await read(`/items/${mail}/calendar.ics`)
    expect(ofMail).toMatchObject([
      { title: 'Of both', items: ['Mail'] },
      { title: 'Of mail', items: ['Mail'] },
    ])
    const { body } = await service.as(undefined).get(`//items/${shop}/calendar.ics`)
    expect(body).toContain('X-WR-CALNAME:First: Shop\r\n')
    expect(body).not.toMatch(/Mail|Secret/)
  })

  test.each(['0', '999', 'x', '-1'])('of the item %s does not exist', async (name) => {
    expect((await service.as(undefined).get(`//items/${name}/calendar.ics`)).status).toBe(404)
  })
})

test.each([
  ['lines of a calendar', 'x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\nBEGIN:VCALENDAR'],
  ['separators', 'a,b;c:d"e\\n\\\\,'],
  ['markup', '<script>alert(1)</script> ]]> &amp; {{Monitor-Name}}'],
  ['control characters and long characters', `\u0001\u001b[31m ${'👩‍👩‍👧‍👦'.repeat(30)} \u202e\u2028end`],
])('a text with %s stays the text of its event', async (_name, text) => {
  const name = [...text.replace(/\s+/g, ' ')].slice(0, 60).join('')
  const { status, body: item } = await admin.post('/admin/hierarchy/items', { name: name.replace(/\p{Cc}/gu, '') })
  expect([status, item]).toEqual([201, expect.anything()])
  const title = `Hostile ${name}`
  const id = await plan(title, '2027-03-01T08:00:00Z', '2027-03-01T09:00:00Z', {
    ...{ description: text, affected_items: [{ id: item.id }] },
  })
  const { body } = await service.as(undefined).get(`//items/${item.id}/calendar.ics`)
  // Calendars have no control characters, and one kind of line end.
  const shown = (value: string) =>
    value
      .replace(/\r\n|\u2028/g, '\n')
      .replaceAll('\u0001', '')
      .replaceAll('\u001b', '')
  const events = readByIcalJs(body, RANGE)
  expect(events).toMatchObject([{ title: shown(title), description: shown(text), items: [shown(name)] }])
  // This library reads an escaped backslash in front of an n as a line end.
  if (!text.includes('\\n')) expect(readByNodeIcal(body, RANGE)).toMatchObject([{ title: shown(title) }])
  await admin.del(`/admin/maintenances/${id}`)
})

test('the file is unchanged as long as the maintenances are', async () => {
  const reader = service.as(undefined)
  const first = await reader.get('//calendar.ics')
  expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  at('2026-11-24T12:00:00Z')
  await admin.post('/admin/incidents', { title: 'Another change of the page' })
  const etag = first.headers.get('etag')!
  expect((await reader.get('//calendar.ics', { 'If-None-Match': etag })).status).toBe(304)
  const below = await reader.get('//status/first/calendar.ics')
  expect(below.body).toBe(first.body)
  expect(first.body).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n.*METHOD:PUBLISH\r\n.*END:VCALENDAR\r\n$/s)
  for (const line of (first.body as string).split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
})
