import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { keysOf, makeItem, statusOf } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database', { external_id: 'db' })
})
afterAll(() => service.close())

const path = '/admin/maintenances'
const window = { scheduled_start_time: '2026-11-22T10:00:00.000Z', scheduled_end_time: '2026-11-22T11:00:00.000Z' }
const create = (body: object = {}) =>
  service.admin.post(path, { title: 'Upgrade', affected_items: [{ id: item }], ...window, ...body })

test('a maintenance keeps all that it was given, and its process is woken', async () => {
  const said = {
    description: 'A new version.',
    impact: 'Slow logins',
    external_id: 'change-1',
    affected_items_freetext: 'the old site',
    chat_channel_id: 'C1',
    auto_transition_enabled: true,
    auto_transition_start_message: 'We begin.',
    auto_transition_complete_message: 'We are done.',
  }
  const { status, body, headers } = await create(said)
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/maintenances/${body.id}`])
  expect(body).toMatchObject({
    ...{ title: 'Upgrade', status: 'scheduled', version: 1, ...window, ...said },
    ...{ started_at: null, ended_at: null, updates: [], lifecycle_stage: { name: 'Scheduled' } },
    affected_items: [{ id: item, name: 'Database', status: 'operational' }],
  })
  expect((await service.admin.get(`${path}/${body.id}`)).body).toEqual(body)
  expect((await service.admin.get(`${path}/external/change-1`)).body).toEqual(body)
  expect(service.woken).toContainEqual({ kind: 'maintenance', id: body.id, pageId: service.page.id })
  expect(await keysOf(service, body.id)).toEqual(['maintenance.scheduled'])
  expect(await statusOf(service, item)).toBe('operational')
})

test('one that is in progress has started now, with its entry and its items', async () => {
  const { body } = await create({ status: 'in_progress', notify: false })
  expect(body).toMatchObject({
    ...{ status: 'in_progress', started_at: now.toISOString(), version: 1 },
    lifecycle_stage: { name: 'In progress' },
    updates: [{ status: 'in_progress', previous_status: 'scheduled', message: 'This maintenance has started.' }],
  })
  expect(await statusOf(service, item)).toBe('maintenance')
  expect(await keysOf(service, body.id)).toEqual([])
  await service.admin.post(`${path}/${body.id}/complete`)
  expect(await statusOf(service, item)).toBe('operational')
})

test('items are named by id, slug or external id', async () => {
  for (const ref of [{ id: item }, { slug: 'database' }, { external_id: 'db' }]) {
    expect((await create({ affected_items: [ref] })).body.affected_items).toMatchObject([{ id: item }])
  }
})

test('the same request again is answered with what it made, another one is refused', async () => {
  const body = { external_id: 'once', title: 'Once' }
  const first = await create(body)
  const again = await create(body)
  expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id])
  const other = await create({ ...body, title: 'Twice' })
  expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict'])
})

test.each([
  ['no affected item', { affected_items: [] }, 'affected_items', /at least one affected item/],
  ['affected items left out', { affected_items: undefined }, 'affected_items', /at least one affected item/],
  ['free text alone', { affected_items: [], affected_items_freetext: 'all' }, 'affected_items', /at least one/],
  ['an unknown item', { affected_items: [{ external_id: 'none' }] }, 'affected_items.0', /no item/],
  ['no title', { title: undefined }, 'title', /is required/],
  ['a status that is none', { status: 'completed' }, 'status', /./],
  ['an end before its start', { scheduled_end_time: '2026-11-22T09:00:00Z' }, 'scheduled_end_time', /must lie after/],
  [
    'auto transition without an end',
    { auto_transition_enabled: true, scheduled_end_time: null },
    'scheduled_end_time',
    /auto/,
  ],
  [
    'auto transition without a start',
    { auto_transition_enabled: true, scheduled_start_time: undefined },
    'scheduled_start_time',
    /auto/,
  ],
  [
    'an unknown variable',
    { auto_transition_start_message: '{{Incident-Title}}' },
    'auto_transition_start_message',
    /Maintenance-Title/,
  ],
  [
    'an unknown variable in another language',
    { translations: [{ locale: 'de', values: { auto_transition_complete_message: '{{Nichts}}' } }] },
    'translations.0.values.auto_transition_complete_message',
    /Nichts/,
  ],
  ['an unknown stage', { lifecycle_stage_name: 'Investigating' }, 'lifecycle_stage_name', /Scheduled/],
  ['an unknown field', { colour: 'red' }, 'colour', /./],
])('%s is refused', async (_what, body, where, message) => {
  const refused = await create(body)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, where])
  expect(refused.body.errors[0].message).toMatch(message)
})

test('the public reads show it without what is private', async () => {
  const { body } = await create({ chat_channel_id: 'C1', external_id: 'seen', auto_transition_enabled: true })
  const shown = (await service.as(undefined).get(`/maintenances/${body.id}`)).body
  expect(shown).toMatchObject({ id: body.id, title: 'Upgrade', affected_items: [{ id: item }], updates: [] })
  const hidden = /auto_transition|chat_channel|external_id|translations/
  expect(Object.keys(shown).filter((name) => hidden.test(name))).toEqual([])
  const { maintenances } = (await service.as(undefined).get('/maintenances?view=full')).body
  expect(maintenances.find((one: { id: number }) => one.id === body.id)).toEqual(shown)
})

test('translations are kept, and read by those who ask for them', async () => {
  const settings = { supported_locales: ['en', 'de'], multilingual_enabled: true, multilingual_public_ready: true }
  await service.admin.patch('/admin/settings', settings)
  const translations = [{ locale: 'de', values: { title: 'Aufrüstung' }, state: 'published' }]
  const { body } = await create({ translations })
  expect(body.translations).toMatchObject([{ locale: 'de', values: { title: 'Aufrüstung' }, version: 1 }])
  const read = async (query: string) => (await service.as(undefined).get(`/maintenances/${body.id}${query}`)).body.title
  expect([await read(''), await read('?locale=de')]).toEqual(['Upgrade', 'Aufrüstung'])
})

test('lists are compact, filtered and paged, the latest start first', async () => {
  const other = await makeItem(service, 'Other')
  const ids: number[] = []
  for (const day of ['05', '03', '04']) {
    const times = { scheduled_start_time: `2027-01-${day}T10:00:00Z`, scheduled_end_time: `2027-01-${day}T11:00:00Z` }
    ids.push((await create({ ...times, affected_items: [{ id: other }], title: `Work of ${day}` })).body.id)
  }
  const list = async (query: string) => (await service.admin.get(`${path}?item_id=${other}&${query}`)).body
  const all = await list('')
  expect(all.maintenances.map(({ id }: { id: number }) => id)).toEqual([ids[0], ids[2], ids[1]])
  expect(all.maintenances[0]).not.toHaveProperty('updates')
  expect((await list('view=full')).maintenances[0]).toHaveProperty('updates', [])
  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.next_cursor}`)
  expect([first.total, second.maintenances.map(({ id }: { id: number }) => id)]).toEqual([3, [ids[1]]])
  expect((await list('search=of 04')).total).toBe(1)
  const german = [{ locale: 'de', values: { title: 'Arbeiten' }, state: 'published' }]
  await service.admin.patch(`${path}/${ids[0]}`, { title: 'Work of 05', translations: german })
  expect((await list('search=arbeiten')).total).toBe(1)
  expect((await list('starts_after=2027-01-04T00:00:00Z&starts_before=2027-01-05T00:00:00Z')).total).toBe(1)
  await service.admin.post(`${path}/${ids[1]}/cancel`)
  expect([(await list('state=open')).total, (await list('status=cancelled')).total]).toEqual([2, 1])
})
