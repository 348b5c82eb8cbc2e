import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000).toISOString()

let service: TestService
let id: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: START })
})
beforeEach(async () => {
  service.now = START
  id = (await service.admin.post('/admin/incidents', { title: 'Down', status: 'major_outage' })).body.id
  service.now = new Date(at(30))
})
afterAll(() => service.close())

const resolve = (body?: object) => service.admin.post(`/admin/incidents/${id}/resolve`, body)

test('an incident is resolved now, in the last stage, with a word on the timeline', async () => {
  const { status, body } = await resolve()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'resolved',
    initial_status: 'major_outage',
    resolved_at: at(30),
    lifecycle_stage: { name: 'Resolved' },
    version: 2,
  })
  expect(body.updates).toEqual([
    expect.objectContaining({
      message: 'This incident has been resolved.',
      status: 'resolved',
      previous_status: 'major_outage',
      is_resolution: true,
      created_at: at(30),
    }),
  ])
  expect(service.woken.at(-1)).toEqual({ kind: 'incident', id, pageId: service.page.id })
})

test('the word on the timeline is the given one', async () => {
  expect((await resolve({ resolution_message: 'A cable.' })).body.updates[0].message).toBe('A cable.')
})

test('it may have been over for a while', async () => {
  const { body } = await resolve({ resolved_at: at(20) })
  expect([body.resolved_at, body.updates[0].created_at, body.updated_at]).toEqual([at(20), at(20), at(30)])
})

describe('behind the newest entry of the timeline', () => {
  beforeEach(async () => {
    service.now = new Date(at(20))
    await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'Still down', status: 'partial_outage' })
    service.now = new Date(at(30))
  })

  test('a resolution before the newest entry is refused with the time of that entry', async () => {
    const traces = await tracesOf(service)
    const { status, body } = await resolve({ resolved_at: at(19) })
    const message = `must not lie before the newest entry of the timeline, whose time is ${at(20)}`
    expect([status, body.errors]).toEqual([400, [{ path: 'resolved_at', message }]])
    expect(await tracesOf(service)).toEqual(traces)
    expect((await service.admin.get(`/admin/incidents/${id}`)).body.resolved_at).toBe(null)
  })

  test('the same moment is fine', async () => {
    const { status, body } = await resolve({ resolved_at: at(20) })
    expect([status, body.updates.map((one: { created_at: string }) => one.created_at)]).toEqual([200, [at(20), at(20)]])
  })
})

test('an entry after a resolution with a clock ahead is not earlier than the resolution', async () => {
  await resolve({ resolved_at: at(34) })
  const { body } = await service.admin.post(`/admin/incidents/${id}/reopen`)
  expect(body.updates.map((one: { created_at: string }) => one.created_at)).toEqual([at(34), at(34)])
  service.now = new Date(at(40))
  const { updates } = (await resolve()).body
  expect(updates.map((one: { created_at: string }) => one.created_at)).toEqual([at(40), at(34), at(34)])
})

test.each([
  ['before the start', at(-1), 400],
  ['at the start', at(0), 200],
  ['now', at(30), 200],
  ['a little ahead', at(34), 200],
  ['in the future', at(36), 400],
])('resolved %s', async (_title, resolved_at, expected) => {
  const { status, body } = await resolve({ resolved_at })
  expect(status).toBe(expected)
  if (expected === 400) expect(body.errors).toEqual([expect.objectContaining({ path: 'resolved_at' })])
})

test('null is now', async () => {
  expect((await resolve({ resolved_at: null })).body.resolved_at).toBe(at(30))
})

describe('a second time', () => {
  test('the answer is what is stored, and nothing is done', async () => {
    const first = await resolve({ resolution_message: 'one' })
    const left = await tracesOf(service)
    service.now = new Date(at(60))
    const again = await resolve({ resolution_message: 'two', resolved_at: at(10) })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await tracesOf(service)).toEqual(left)
  })

  test('by an update it is a note', async () => {
    await resolve()
    const { body } = await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm', status: 'resolved' })
    expect(body.is_resolution).toBe(false)
  })
})

describe('by external id', () => {
  test('it is resolved', async () => {
    await service.admin.post('/admin/incidents', { title: 'Down', external_id: 'alert-9' })
    const { status, body } = await service.admin.post('/admin/incidents/external/alert-9/resolve', {
      resolution_message: 'Recovered.',
    })
    expect([status, body.external_id, body.status]).toEqual([200, 'alert-9', 'resolved'])
  })

  test('an unknown one is a 404', async () => {
    expect((await service.admin.post('/admin/incidents/external/alert-0/resolve')).status).toBe(404)
  })
})

test('a resolution writes one notification', async () => {
  await resolve()
  await resolve()
  const { body } = await service.admin.get(`/admin/notifications?subject=incident:${id}&key=incident.resolved`)
  expect(body.total).toBe(1)
})
