import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { keysOf, makeItem, notificationsOf, statusOf } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T12:00:00.000Z') })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.now = new Date('2026-11-21T12:00:00.000Z')
  item = await makeItem(service, 'Database')
})

const path = '/admin/maintenances'
const window = { scheduled_start_time: '2026-11-22T10:00:00.000Z', scheduled_end_time: '2026-11-22T11:00:00.000Z' }
const create = async (body: object = {}) =>
  (await service.admin.post(path, { title: 'Upgrade', affected_items: [{ id: item }], ...window, ...body })).body
const post = (id: number, what: string, body: object = {}) => service.admin.post(`${path}/${id}/${what}`, body)

test('by hand it starts and completes, each with an entry, its stage, its items and an event', async () => {
  const { id } = await create()
  const started = await post(id, 'start', { message: 'Off we go.' })
  expect(started.body).toMatchObject({
    ...{ status: 'in_progress', started_at: service.now.toISOString(), version: 2 },
    lifecycle_stage: { name: 'In progress' },
    updates: [{ message: 'Off we go.', status: 'in_progress', previous_status: 'scheduled' }],
  })
  expect(await statusOf(service, item)).toBe('maintenance')
  service.now = new Date('2026-11-21T13:00:00.000Z')
  const completed = await post(id, 'complete')
  expect(completed.body).toMatchObject({
    ...{ status: 'completed', ended_at: service.now.toISOString() },
    lifecycle_stage: { name: 'Completed' },
    updates: [{ message: 'This maintenance has been completed.' }, {}],
  })
  expect(await statusOf(service, item)).toBe('operational')
  expect(await keysOf(service, id)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.completed'])
  const { events } = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
  expect(events.slice(0, 2)).toMatchObject([
    { status: 'operational', previous_status: 'maintenance', cause: { kind: 'maintenance', id } },
    { status: 'maintenance', previous_status: 'operational', cause: { kind: 'maintenance', id } },
  ])
})

test.each([
  ['start', 'start', 200],
  ['start', 'complete', 200],
  ['start', 'cancel', 200],
  ['complete', 'complete', 200],
  ['complete', 'start', 409],
  ['complete', 'cancel', 409],
  ['cancel', 'cancel', 200],
  ['cancel', 'start', 409],
  ['cancel', 'complete', 409],
])('after %s, %s answers %s', async (first, second, status) => {
  const { id } = await create()
  const { body } = await post(id, first)
  const answer = await post(id, second)
  expect(answer.status).toBe(status)
  if (first === second) expect(answer.body).toEqual(body)
})

test('an update moves it forward only, and the same status is a note', async () => {
  const { id } = await create({ external_id: 'by-update' })
  const update = (body: object) => service.admin.post(`${path}/external/by-update/updates`, { message: 'So.', ...body })
  const started = await update({ status: 'in_progress' })
  expect([started.status, started.body]).toEqual([
    201,
    expect.objectContaining({ maintenance_id: id, status: 'in_progress', previous_status: 'scheduled' }),
  ])
  expect((await update({ status: 'in_progress' })).body).toMatchObject({ previous_status: 'in_progress' })
  expect((await update({})).body).toMatchObject({ status: 'in_progress' })
  const back = await update({ status: 'scheduled' })
  expect([back.status, back.body.code]).toEqual([409, 'conflict'])
  expect((await update({ status: 'in_progress', version: 1 })).body).toMatchObject({ current_version: 4 })
  expect((await update({ status: 'completed' })).status).toBe(201)
  expect((await update({ message: 'All is well.' })).body).toMatchObject({ status: 'completed' })
  expect((await update({ status: 'cancelled' })).status).toBe(409)
  expect(await keysOf(service, id)).toEqual([
    'maintenance.scheduled',
    'maintenance.started',
    ...['maintenance.updated', 'maintenance.updated'],
    'maintenance.completed',
    'maintenance.updated',
  ])
})

test('a write with notify false writes no notification', async () => {
  const { id } = await create({ notify: false })
  await post(id, 'start', { notify: false })
  await post(id, 'updates', { message: 'Hm.', notify: false })
  await service.admin.patch(`${path}/${id}`, { title: 'Other', notify: false })
  await post(id, 'cancel', { notify: false })
  expect(await keysOf(service, id)).toEqual([])
})

test('an entry has the prepared message with its variables and translations, and the own message comes before a preset', async () => {
  const preset = { title: 'Start', category: 'maintenance', auto_post_on_maintenance_start: true }
  await service.admin.post('/admin/presets', { ...preset, body: 'Older.' })
  const { body: newer } = await service.admin.post('/admin/presets', {
    ...preset,
    body: '{{Page-Name}}: {{Maintenance-Title}} of {{impacted-level-1}} until {{Scheduled-End}}.',
    translations: [{ locale: 'de', values: { body: '{{Maintenance-Title}} läuft.' }, state: 'published' }],
  })
  service.now = new Date('2026-11-21T12:05:00.000Z')
  await service.admin.patch(`/admin/presets/${newer.id}`, { title: 'Start it' })
  const german = { locale: 'de', values: { title: 'Aufrüstung' }, state: 'published' }
  const { id } = await create({ translations: [german] })
  const [entry] = (await post(id, 'start')).body.updates
  expect(entry.message).toMatch(/^First: Upgrade of Database until .*22.*2026.*11:00.*UTC\.$/)
  expect(entry.translations).toMatchObject([
    { locale: 'de', values: { message: 'Aufrüstung läuft.' }, state: 'published' },
  ])
  const own = await create({ auto_transition_start_message: 'Mine: {{Hierarchy-Item-Name}}.' })
  expect((await post(own.id, 'start')).body.updates[0].message).toBe('Mine: Database.')
  const said = await create({ auto_transition_start_message: 'Mine.' })
  expect((await post(said.id, 'start', { message: 'Said.' })).body.updates[0].message).toBe('Said.')
})

test('a window’s end does not turn green what an incident holds down', async () => {
  const down = await makeItem(service, 'Cache')
  const { id } = await create({ affected_items: [{ id: down }] })
  await post(id, 'start')
  expect(await statusOf(service, down)).toBe('maintenance')
  await service.admin.post('/admin/incidents', {
    title: 'Down',
    status: 'major_outage',
    affected_items: [{ id: down }],
  })
  expect(await statusOf(service, down)).toBe('major_outage')
  await post(id, 'complete')
  expect(await statusOf(service, down)).toBe('major_outage')
})

test('a window can be moved until the maintenance is over, and the notifications follow', async () => {
  const { id, version } = await create({ external_id: 'moving' })
  const move = (body: object) => service.admin.patch(`${path}/external/moving`, { title: 'Upgrade', ...body })
  const later = { scheduled_start_time: '2026-11-23T10:00:00.000Z', scheduled_end_time: '2026-11-23T11:00:00.000Z' }
  expect((await move({ ...later, version })).body).toMatchObject({ ...later, version: version + 1 })
  expect((await move({ version })).body).toMatchObject({ code: 'version_conflict', current_version: version + 1 })
  expect((await move({ scheduled_end_time: '2026-11-23T09:00:00Z' })).status).toBe(400)
  expect((await move({ auto_transition_enabled: true, scheduled_end_time: null })).status).toBe(400)
  expect((await service.admin.patch(`${path}/${id}`, { description: 'No title' })).body.errors[0].path).toBe('title')
  await post(id, 'start')
  expect((await move({ scheduled_start_time: '2026-11-24T10:00:00Z' })).status).toBe(409)
  expect((await move({ scheduled_end_time: '2026-11-24T10:00:00Z' })).status).toBe(200)
  await post(id, 'cancel')
  expect((await move({ scheduled_end_time: '2026-11-25T10:00:00Z' })).status).toBe(409)
  expect((await move({ description: 'For the record' })).status).toBe(200)
})

test('a status in a change moves it, with an entry; items may be exchanged while it goes on', async () => {
  const { id } = await create()
  const other = await makeItem(service, 'Queue')
  const change = (body: object) => service.admin.patch(`${path}/${id}`, { title: 'Upgrade', ...body })
  expect((await change({ status: 'in_progress' })).body).toMatchObject({ updates: [{ status: 'in_progress' }] })
  const swapped = await change({ affected_items: [{ id: other }] })
  expect(swapped.body.affected_items).toMatchObject([{ id: other, status: 'maintenance' }])
  expect([await statusOf(service, item), await statusOf(service, other)]).toEqual(['operational', 'maintenance'])
  expect((await change({ affected_items: [] })).status).toBe(400)
  expect((await change({ status: 'scheduled' })).status).toBe(409)
  expect((await change({ status: 'cancelled' })).body.status).toBe('cancelled')
  expect(await statusOf(service, other)).toBe('operational')
})

test('a PUT creates a maintenance or replaces its fields', async () => {
  const body = { title: 'Put', affected_items: [{ id: item }], ...window, impact: 'Some' }
  const put = (changes: object = {}) => service.admin.request('PUT', `${path}/external/put-1`, { ...body, ...changes })
  const made = await put()
  expect([made.status, made.body.version]).toEqual([201, 1])
  const again = await put({ title: 'Put again', impact: undefined })
  expect([again.status, again.body.id, again.body.title]).toEqual([200, made.body.id, 'Put again'])
  expect(again.body).not.toHaveProperty('impact')
})

test('entries are edited and deleted, except that turns stay', async () => {
  const { id } = await create()
  const note = (await post(id, 'updates', { message: 'Nothe.' })).body
  const at = `${path}/${id}/updates`
  expect((await service.admin.patch(`${at}/${note.id}`, { message: 'Note.' })).body.message).toBe('Note.')
  const [turn] = (await post(id, 'start')).body.updates
  expect((await service.admin.del(`${at}/${turn.id}`)).status).toBe(409)
  expect((await service.admin.del(`${at}/${note.id}`)).status).toBe(200)
  expect((await service.admin.get(at)).body).toMatchObject({ total: 1, updates: [{ id: turn.id }] })
  expect((await service.admin.get(`${at}/${note.id}`)).status).toBe(404)
})

test('deleting one in progress frees its items and its external id', async () => {
  const { id } = await create({ external_id: 'gone', status: 'in_progress' })
  expect(await statusOf(service, item)).toBe('maintenance')
  expect((await service.admin.del(`${path}/${id}`)).status).toBe(200)
  expect(await statusOf(service, item)).toBe('operational')
  expect((await service.admin.get(`${path}/external/gone`)).status).toBe(404)
  expect((await create({ external_id: 'gone' })).version).toBe(1)
})

test('an item with a maintenance and a stage in use are kept', async () => {
  const used = await makeItem(service, 'Used')
  const { lifecycle_stage_id } = await create({ affected_items: [{ id: used }] })
  expect((await service.admin.del(`/admin/hierarchy/items/${used}`)).body.error).toMatch(/maintenances/)
  expect((await service.admin.del(`/admin/lifecycle-stages/maintenance/${lifecycle_stage_id}`)).status).toBe(409)
})

test('many clients start it at once, and it starts once', async () => {
  const { id } = await create()
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(id, 'start')))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect((await service.admin.get(`${path}/${id}/updates`)).body.total).toBe(1)
  expect((await notificationsOf(service, id)).filter(({ key }) => key === 'maintenance.started')).toHaveLength(1)
})
