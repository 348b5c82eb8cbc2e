import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { StatusType } from '../../src/persistence/entities/status-type.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const START = new Date('2026-03-02T10:00:00.000Z')

let service: TestService
let id: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: START })
})
beforeEach(async () => {
  service.now = START
  id = (await service.admin.post('/admin/incidents', { title: 'Down', reminder_interval_minutes: 10 })).body.id
  service.now = new Date('2026-03-02T10:05:00.000Z')
})
afterAll(() => service.close())

const post = (body: object) => service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm', ...body })
const get = async () => (await service.admin.get(`/admin/incidents/${id}`)).body

test('an update becomes the newest entry, and the incident takes over its fields', async () => {
  const { status, body, headers } = await post({
    message: 'We know the cause.',
    status: 'major_outage',
    impact: 'everybody',
    lifecycle_stage_name: 'Identified',
    reminder_interval_minutes: 20,
  })
  expect(status).toBe(201)
  const { version, ...entry } = body
  expect(version).toBe(2)
  expect(body).toMatchObject({
    message: 'We know the cause.',
    status: 'major_outage',
    previous_status: 'degraded',
    is_resolution: false,
    lifecycle_stage: { name: 'Identified' },
    created_at: service.now.toISOString(),
    updated_at: service.now.toISOString(),
  })
  const incident = await get()
  expect(incident).toMatchObject({
    status: 'major_outage',
    initial_status: 'degraded',
    impact: 'everybody',
    lifecycle_stage: { name: 'Identified' },
    reminder_interval_minutes: 20,
    updated_at: service.now.toISOString(),
    version: 2,
  })
  expect(incident.updates[0]).toEqual(entry)
  expect(headers.get('location')).toBe(`/api/v1/admin/incidents/${id}/updates/${body.id}`)
  expect((await service.admin.get(`/admin/incidents/${id}/updates/${body.id}`)).body).toEqual(entry)
})

test('fields that an update omits stay unchanged', async () => {
  const before = await get()
  await post({})
  const { updated_at, updates, version, ...rest } = await get()
  expect(rest).toEqual(Object.fromEntries(Object.keys(rest).map((name) => [name, before[name]])))
  expect([updates.length, version]).toEqual([1, 2])
})

test('an update needs words', async () => {
  for (const message of [undefined, '', '   ', null]) expect((await post({ message })).status).toBe(400)
})

test('an update is looked for on its own incident', async () => {
  const { body } = await post({})
  const { body: other } = await service.admin.post('/admin/incidents', { title: 'Other' })
  expect((await service.admin.get(`/admin/incidents/${other.id}/updates/${body.id}`)).status).toBe(404)
  expect((await service.admin.get(`/admin/incidents/${id}/updates/999999`)).status).toBe(404)
  for (const wrong of ['0', '-1', '2147483648', '1e400', 'abc', '1.5', '%00']) {
    expect([400, 404]).toContain((await service.admin.get(`/admin/incidents/${id}/updates/${wrong}`)).status)
  }
})

test('each update wakes the process and writes a notification once', async () => {
  service.woken.length = 0
  const { body } = await post({ status: 'major_outage' })
  expect(service.woken).toEqual([{ kind: 'incident', id, pageId: service.page.id }])
  const { body: sent } = await service.admin.get(`/admin/notifications?subject=incident:${id}&key=incident.updated`)
  expect(sent.notifications).toEqual([
    expect.objectContaining({
      data: { update_id: body.id, status: 'major_outage' },
      due_at: service.now.toISOString(),
    }),
  ])
})

test('the reminder interval is cleared by null and kept when it is not named', async () => {
  await post({})
  expect((await get()).reminder_interval_minutes).toBe(10)
  await post({ reminder_interval_minutes: null })
  expect(await get()).not.toHaveProperty('reminder_interval_minutes')
})

test('a status that the page has archived may stay, but not be chosen', async () => {
  await post({ status: 'major_outage' })
  const em = service.services.system.em.fork()
  const type = { key: 'major_outage', page_id: service.page.id }
  await em.nativeUpdate(StatusType, type, { archived: true })
  try {
    expect((await post({ message: 'Still down.' })).body.status).toBe('major_outage')
    expect((await post({ status: 'major_outage' })).status).toBe(400)
  } finally {
    await em.nativeUpdate(StatusType, type, { archived: false })
  }
})

describe('the status resolved', () => {
  test('resolves the incident, with its rules', async () => {
    const { body } = await post({ message: 'It is over.', status: 'resolved' })
    expect(body).toMatchObject({ is_resolution: true, status: 'resolved', lifecycle_stage: { name: 'Resolved' } })
    const incident = await get()
    expect(incident).toMatchObject({ status: 'resolved', resolved_at: service.now.toISOString(), version: 2 })
    const { body: sent } = await service.admin.get(`/admin/notifications?subject=incident:${id}`)
    expect(sent.notifications.map((event: { key: string }) => event.key)).toEqual([
      'incident.resolved',
      'incident.created',
    ])
  })

  test('takes the stage that it is given', async () => {
    const { body } = await post({ status: 'resolved', lifecycle_stage_name: 'Monitoring' })
    expect(body.lifecycle_stage.name).toBe('Monitoring')
  })
})

describe('on a resolved incident', () => {
  beforeEach(() => post({ status: 'resolved' }))

  test('an update is a note', async () => {
    const note = await post({ message: 'What we learned.' })
    expect([note.status, note.body.is_resolution, note.body.status]).toEqual([201, false, 'resolved'])
    const again = await post({ message: 'And this.', status: 'resolved' })
    expect([again.status, again.body.is_resolution]).toEqual([201, false])
    const incident = await get()
    expect(incident.updates).toHaveLength(3)
    expect(incident.resolved_at).toBe(service.now.toISOString())
  })

  test.each(['degraded', 'operational'])('an update with the open status %s is a conflict', async (status) => {
    const before = await get()
    const answer = await post({ status })
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect(await get()).toEqual(before)
  })

  test('a status that does not exist is a mistake', async () => {
    expect((await post({ status: 'on_fire' })).status).toBe(400)
  })
})

describe('the list of updates', () => {
  test('is paged, newest first', async () => {
    for (let n = 1; n <= 5; n += 1) await post({ message: `${n}` })
    const path = `/admin/incidents/${id}/updates`
    const first = await service.admin.get(`${path}?limit=2`)
    const second = await service.admin.get(`${path}?limit=3&cursor=${first.body.next_cursor}`)
    const messages = [...first.body.updates, ...second.body.updates].map((update) => update.message)
    expect(messages).toEqual(['5', '4', '3', '2', '1'])
    expect([first.body.total, second.body.total, second.body.next_cursor]).toEqual([5, 5, undefined])
  })
})
