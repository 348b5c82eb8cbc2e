import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

/** A write that changes nothing raises no version and leaves no audit row, no event and no wake-up. */

let service: TestService
let token: string
let item: string
let archived: string
let untouched: string
const make = async (path: string, body: object) => `${path}/${(await service.admin.post(path, body)).body.id}`
const put = (path: string, body: object) => service.admin.request('PUT', path, body)

beforeAll(async () => {
  service = await openTestService()
  token = await make('/admin/api-tokens', { name: 'ci', description: 'D', permission: 'read' })
  const items = '/admin/hierarchy/items'
  ;[item, archived, untouched] = [
    await make(items, { name: 'Overridden' }),
    await make(items, { name: 'Archived' }),
    await make(items, { name: 'Untouched' }),
  ]
  await put(`${item}/status`, { status: 'degraded', reason: 'by hand' })
  await service.admin.del(`${archived}?archive=true`)
  await service.admin.patch('/admin/settings', { require_resolution_reason: true })
  await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: 15 })
})
afterAll(() => service.close())

const read = async (path: string) => (await service.admin.get(path)).body
const until = '2027-01-01T00:00:00.000Z'

const patches: [title: string, path: () => string, body: object][] = [
  ['the settings', () => '/admin/settings', {}],
  ['the settings', () => '/admin/settings', { require_resolution_reason: true, document_locale: null }],
  ['the settings', () => '/admin/settings', { allow_reopening_closed_incidents: true }],
  ['the chat settings', () => '/admin/chat/settings', {}],
  ['the chat settings', () => '/admin/chat/settings', { reminder_interval_minutes: 15 }],
  ['the page', () => '/admin/page', {}],
  [
    'the page',
    () => '/admin/page',
    { name: 'First', public_slug: 'first', visibility: 'public', viewer_auth_mode: 'none' },
  ],
  ['a token', () => token, {}],
  ['a token', () => token, { name: 'ci', description: 'D', expires_at: null }],
]

test.each(patches)('a PATCH of %s leaves no trace if it changes nothing (%s, %j)', async (_title, path, body) => {
  const before = await read(path())
  const traces = await tracesOf(service)
  const answer = await service.admin.patch(path(), body)
  expect([answer.status, answer.body]).toEqual([200, before])
  expect((await service.admin.patch(path(), before)).body).toEqual(before)
  expect(await read(path())).toEqual(before)
  expect(await tracesOf(service)).toEqual(traces)
})

test('a first PATCH of the settings that changes nothing leaves their version at 1', async () => {
  const path = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/settings`
  const before = (await service.otherAdmin.get(path)).body
  const traces = await tracesOf(service)
  expect((await service.otherAdmin.patch(path, { document_locale: 'en' })).body).toEqual(before)
  expect((await service.otherAdmin.get(path)).body).toEqual({ ...before, version: 1, updated_at: null })
  expect(await tracesOf(service)).toEqual(traces)
})

test('the same status by hand, and the end of a status that was not set by hand, leave no trace', async () => {
  const override = { status: 'degraded', reason: 'by hand' }
  const before = await read(item)
  const plain = await read(untouched)
  const traces = await tracesOf(service)
  for (const body of [override, { ...override, until: null }, { ...override, version: before.version }]) {
    const answer = await put(`${item}/status`, body)
    expect([answer.status, answer.body]).toEqual([200, before])
  }
  const deleted = await service.admin.del(`${untouched}/status`)
  expect([deleted.status, deleted.body]).toEqual([200, plain])
  expect(await tracesOf(service)).toEqual(traces)
  // Another reason or end is a change.
  expect((await put(`${item}/status`, { ...override, until })).body.version).toBe(before.version + 1)
  expect((await put(`${item}/status`, { ...override, until })).body.version).toBe(before.version + 1)
  expect((await put(`${item}/status`, { ...override, reason: 'other', until })).body.version).toBe(before.version + 2)
})

test('archiving an archived item leaves no trace', async () => {
  const before = await read(archived)
  const traces = await tracesOf(service)
  expect((await service.admin.del(`${archived}?archive=true`)).status).toBe(200)
  expect(await read(archived)).toEqual(before)
  expect(await tracesOf(service)).toEqual(traces)
})

test.each(['/admin/status-types', '/admin/lifecycle-stages/incident', '/admin/lifecycle-stages/maintenance'])(
  'the same order and complete defaults of %s leave no trace',
  async (path) => {
    const before = await read(path)
    const ids = (before.status_types ?? before.lifecycle_stages).map(({ id }: { id: number }) => id)
    const traces = await tracesOf(service)
    expect((await put(`${path}/reorder`, { ids })).body).toEqual(before)
    expect((await service.admin.post(`${path}/defaults`)).body).toEqual(before)
    expect(await tracesOf(service)).toEqual(traces)
    const moved = [ids[0], ids[2], ids[1], ...ids.slice(3)]
    expect((await put(`${path}/reorder`, { ids: moved })).status).toBe(200)
    expect((await tracesOf(service)).audit).toBe(traces.audit + 1)
  },
)
