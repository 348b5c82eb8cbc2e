import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'
import { tracesOf } from './support/traces.ts'

/** A write that changes nothing raises no version and leaves no audit row, no event and no wake-up. */

let house: House
let token: string
let item: string
let archived: string
let untouched: string
const make = async (path: string, body: object) => `${path}/${(await house.admin.post(path, body)).body.id}`
const put = (path: string, body: object) => house.admin.request('PUT', path, body)

beforeAll(async () => {
  house = await openHouse()
  token = await make('/admin/api-tokens', { name: 'ci', description: 'D', permission: 'read' })
  const items = '/admin/hierarchy/items'
  ;[item, archived, untouched] = [
    await make(items, { name: 'Overridden' }),
    await make(items, { name: 'Archived' }),
    await make(items, { name: 'Untouched' }),
  ]
  await put(`${item}/status`, { status: 'degraded', reason: 'by hand' })
  await house.admin.del(`${archived}?archive=true`)
  await house.admin.patch('/admin/settings', { require_resolution_reason: true })
  await house.admin.patch('/admin/chat/settings', { reminder_interval_minutes: 15 })
})
afterAll(() => house.close())

const read = async (path: string) => (await house.admin.get(path)).body
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
  const traces = await tracesOf(house)
  const answer = await house.admin.patch(path(), body)
  expect([answer.status, answer.body]).toEqual([200, before])
  expect((await house.admin.patch(path(), before)).body).toEqual(before)
  expect(await read(path())).toEqual(before)
  expect(await tracesOf(house)).toEqual(traces)
})

test('a first PATCH of the settings that changes nothing leaves their version at 1', async () => {
  const path = `/orgs/${house.otherPage.organization_id}/pages/${house.otherPage.id}/admin/settings`
  const before = (await house.otherAdmin.get(path)).body
  const traces = await tracesOf(house)
  expect((await house.otherAdmin.patch(path, { document_locale: 'en' })).body).toEqual(before)
  expect((await house.otherAdmin.get(path)).body).toEqual({ ...before, version: 1, updated_at: null })
  expect(await tracesOf(house)).toEqual(traces)
})

test('the same status by hand, and the end of a status that was not set by hand, leave no trace', async () => {
  const override = { status: 'degraded', reason: 'by hand' }
  const before = await read(item)
  const plain = await read(untouched)
  const traces = await tracesOf(house)
  for (const body of [override, { ...override, until: null }, { ...override, version: before.version }]) {
    const answer = await put(`${item}/status`, body)
    expect([answer.status, answer.body]).toEqual([200, before])
  }
  const deleted = await house.admin.del(`${untouched}/status`)
  expect([deleted.status, deleted.body]).toEqual([200, plain])
  expect(await tracesOf(house)).toEqual(traces)
  // Another reason or end is a change.
  expect((await put(`${item}/status`, { ...override, until })).body.version).toBe(before.version + 1)
  expect((await put(`${item}/status`, { ...override, until })).body.version).toBe(before.version + 1)
  expect((await put(`${item}/status`, { ...override, reason: 'other', until })).body.version).toBe(before.version + 2)
})

test('archiving an archived item leaves no trace', async () => {
  const before = await read(archived)
  const traces = await tracesOf(house)
  expect((await house.admin.del(`${archived}?archive=true`)).status).toBe(200)
  expect(await read(archived)).toEqual(before)
  expect(await tracesOf(house)).toEqual(traces)
})

test.each(['/admin/status-types', '/admin/lifecycle-stages/incident', '/admin/lifecycle-stages/maintenance'])(
  'the same order and complete defaults of %s leave no trace',
  async (path) => {
    const before = await read(path)
    const ids = (before.status_types ?? before.lifecycle_stages).map(({ id }: { id: number }) => id)
    const traces = await tracesOf(house)
    expect((await put(`${path}/reorder`, { ids })).body).toEqual(before)
    expect((await house.admin.post(`${path}/defaults`)).body).toEqual(before)
    expect(await tracesOf(house)).toEqual(traces)
    const moved = [ids[0], ids[2], ids[1], ...ids.slice(3)]
    expect((await put(`${path}/reorder`, { ids: moved })).status).toBe(200)
    expect((await tracesOf(house)).audit).toBe(traces.audit + 1)
  },
)
