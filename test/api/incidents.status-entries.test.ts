import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** What a change of the status leaves behind: an entry of the timeline, and only what readers see is announced. */

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService()
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'One' })).body.id
  await service.admin.patch('/admin/settings', { document_locale: 'en', supported_locales: ['en', 'de'] })
})
afterAll(() => service.close())

const path = '/admin/incidents'
const report = async (more: object = {}) => (await service.admin.post(path, { title: 'Down', ...more })).body
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const update = (id: number, body: object) => service.admin.post(`${path}/${id}/updates`, body)
const eventsOf = async (id: number) =>
  (await service.admin.get(`/admin/notifications?subject=incident:${id}`)).body.notifications
    .map(({ key }: { key: string }) => key)
    .reverse()

describe('a PATCH of the status', () => {
  test('writes one entry, raises the version once and announces one update', async () => {
    const { id, lifecycle_stage_id, version } = await report()
    const { body: stages } = await service.admin.get('/admin/lifecycle-stages/incident')
    const identified = stages.lifecycle_stages[1].id
    const change = { title: 'Slow', status: 'major_outage', lifecycle_stage_id: identified }
    const { body } = await service.admin.patch(`${path}/${id}`, change)
    expect(body).toMatchObject({ title: 'Slow', status: 'major_outage', version: version + 1 })
    expect(body.updates).toMatchObject([
      {
        status: 'major_outage',
        previous_status: 'degraded',
        message: 'The status is now "Major outage".',
        lifecycle_stage_id: identified,
      },
    ])
    expect(await eventsOf(id)).toEqual(['incident.created', 'incident.updated'])
    await service.admin.del(`${path}/${id}/updates/${body.updates[0].id}`)
    expect(await read(id)).toMatchObject({ status: 'degraded', lifecycle_stage_id, title: 'Slow' })
  })

  test('with the status that the incident has writes no entry', async () => {
    const { id } = await report()
    const { body } = await service.admin.patch(`${path}/${id}`, { status: 'degraded', title: 'Slow' })
    expect([body.updates, body.version]).toEqual([[], 2])
  })

  test('with `notify: false` announces nothing, and neither does any other write', async () => {
    const silent = { notify: false }
    const { id } = await report({ ...silent, affected_items: [{ id: item }] })
    await service.admin.patch(`${path}/${id}`, { status: 'major_outage', ...silent })
    await update(id, { message: 'M', status: 'partial_outage', ...silent })
    await service.admin.patch(`${path}/${id}/impacts/${item}`, { status: 'degraded', ...silent })
    await service.admin.post(`${path}/${id}/resolve`, silent)
    await service.admin.post(`${path}/${id}/reopen`, silent)
    await service.admin.patch(`${path}/${id}`, { affected_items: [], ...silent })
    await service.admin.post(`${path}/${id}/impacts`, { item_id: item, ...silent })
    await service.admin.del(`${path}/${id}/impacts/${item}?notify=false`)
    await service.admin.post(`${path}/${id}/impacts`, { item_id: item, ...silent })
    await service.admin.del(`${path}/${id}?notify=false`)
    await service.admin.request('PUT', `/admin/hierarchy/items/${item}/status`, {
      ...{ status: 'degraded', reason: 'R' },
      ...silent,
    })
    await service.admin.del(`/admin/hierarchy/items/${item}/status?notify=false`)
    expect(await eventsOf(id)).toEqual([])
    const { body } = await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)
    expect(body.count).toBeGreaterThan(8)
    const ofItem = `/admin/notifications?subject=item:${item}`
    expect((await service.admin.get(ofItem)).body.total).toBe(0)
    const { body: recorded } = await service.admin.get(`${ofItem}&withheld=true&limit=1`)
    expect(recorded.total).toBe(body.count)
    expect(recorded.notifications[0]).toMatchObject({ state: 'no_recipient', withheld: 'notify_false' })
  })
})

const published = [{ locale: 'de', values: { title: 'Kaputt' }, state: 'published' }]
const draft = [{ locale: 'de', values: { title: 'Kaputt' }, state: 'draft' }]

test.each<[string, object, boolean]>([
  ['the reminder interval', { reminder_interval_minutes: 45 }, false],
  ['the draft of a translation', { translations: draft }, false],
  ['a published translation', { translations: published }, true],
  ['the impact', { impact: 'Some' }, true],
  ['the affected items', { affected_items: [] }, true],
  ['the start', { started_at: '2026-01-01T00:00:00Z' }, true],
])('a change of %s is announced where readers see it', async (_what, change, announced) => {
  const { id } = await report({ affected_items: [{ id: item }] })
  const { body } = await service.admin.patch(`${path}/${id}`, change)
  expect(body.version).toBe(2)
  expect((await eventsOf(id)).slice(1)).toEqual(announced ? ['incident.updated'] : [])
  await service.admin.del(`${path}/${id}`)
})

test('a PUT of only the chat channel writes no notification', async () => {
  const put = (body: object) => service.admin.request('PUT', `${path}/external/chat`, { title: 'Down', ...body })
  const { id } = (await put({ chat_channel_id: 'C1' })).body
  expect((await put({ chat_channel_id: 'C2' })).body).toMatchObject({ chat_channel_id: 'C2', version: 2 })
  expect(await eventsOf(id)).toEqual(['incident.created'])
})

describe('an update', () => {
  test('needs a message or a status, and answers with the version of the incident', async () => {
    const { id } = await report()
    const { status, body } = await update(id, {})
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'message', message: 'is required, unless a status is given' }],
    ])
    const { body: added } = await update(id, { status: 'major_outage' })
    expect(added).toMatchObject({ message: 'The status is now "Major outage".', status: 'major_outage', version: 2 })
    const { body: edited } = await service.admin.patch(`${path}/${id}/updates/${added.id}`, {
      message: 'M',
      version: 2,
    })
    expect(edited).toMatchObject({ message: 'M', version: 3 })
    expect((await service.admin.patch(`${path}/${id}/updates/${added.id}`, { status: 'degraded' })).status).toBe(400)
    const { body: deleted } = await service.admin.del(`${path}/${id}/updates/${added.id}`)
    expect(deleted).toEqual({ message: expect.any(String), version: 4 })
    expect((await read(id)).version).toBe(4)
  })

  test('with the status `resolved` resolves, and twice answers 200 with the stored resolution', async () => {
    const { id } = await report()
    const { status, body } = await update(id, { status: 'resolved' })
    expect([status, body.is_resolution, body.message]).toEqual([201, true, 'This incident has been resolved.'])
    const again = await update(id, { status: 'resolved' })
    expect([again.status, again.body]).toEqual([200, body])
    const note = await update(id, { status: 'resolved', message: 'A note' })
    expect([note.status, note.body.is_resolution]).toEqual([201, false])
    expect((await update(id, { status: 'degraded' })).status).toBe(409)
  })

  test('that resolves needs a message where the page asks for a reason', async () => {
    const { id } = await report()
    await service.admin.patch('/admin/settings', { require_resolution_reason: true })
    const { status, body } = await update(id, { status: 'resolved' })
    expect([status, body.errors[0].path]).toEqual([400, 'message'])
    expect((await update(id, { status: 'resolved', message: 'Fixed' })).status).toBe(201)
    await service.admin.patch('/admin/settings', { require_resolution_reason: false })
  })
})

test('a maintenance update needs a message unless its status moves the maintenance, and answers with the version', async () => {
  const window = { title: 'Work', affected_items: [{ id: item }] }
  const { id } = (await service.admin.post('/admin/maintenances', window)).body
  const updates = `/admin/maintenances/${id}/updates`
  expect((await service.admin.post(updates, {})).body.errors[0].path).toBe('message')
  expect((await service.admin.post(updates, { status: 'scheduled' })).body.errors[0].path).toBe('message')
  const { status, body } = await service.admin.post(updates, { status: 'in_progress' })
  expect([status, body.status, body.version]).toEqual([201, 'in_progress', 2])
  expect((await service.admin.patch(`${updates}/${body.id}`, { message: 'M' })).body.version).toBe(3)
  const note = (await service.admin.post(updates, { message: 'N' })).body
  expect((await service.admin.del(`${updates}/${note.id}`)).body.version).toBe(5)
  await service.admin.post(`/admin/maintenances/${id}/complete`)
})

test.each([
  ['an incident', path, { title: 'Down', description: 'D' }, {}],
  ['a maintenance', '/admin/maintenances', { title: 'Work', description: 'D' }, { title: 'Work' }],
  ['a lifecycle stage', '/admin/lifecycle-stages/incident', { name: 'S', description: 'D' }, {}],
  ['a status type', '/admin/status-types', { key: 's', name: 'S', description: 'D' }, {}],
  ['a beat group', '/admin/beat-groups', { name: 'S', description: 'D' }, {}],
])('`description: null` clears the description of %s', async (what, to, body, needs) => {
  const more = what === 'a maintenance' ? { affected_items: [{ id: item }] } : {}
  const { id } = (await service.admin.post(to, { ...body, ...more })).body
  const { status, body: changed } = await service.admin.patch(`${to}/${id}`, { ...needs, description: null })
  expect([status, changed.description]).toEqual([200, ''])
})
