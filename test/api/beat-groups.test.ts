import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { workflowIdOf } from '../../workflows/processes.ts'
import { leaveOpen, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const path = '/admin/beat-groups'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const create = (body: object = {}) => service.admin.post(path, { name: 'Checkout', ...body })
const make = async (body: object = {}) => {
  const made = await create(body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}
const patch = (id: number, body: object) => service.admin.patch(`${path}/${id}`, body)
const beat = async (id: number) => (await service.admin.get(`/admin/beats/${id}`)).body
const post = { critical: { public_post: true } }

test('a group with a name alone gets the defaults, and its process is woken', async () => {
  const { status, body, headers } = await create()
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/beat-groups/${body.id}`])
  expect(body).toEqual({
    ...{ id: expect.any(Number), status_page_id: service.page.id, name: 'Checkout', description: '', version: 1 },
    ...{ automation_paused: false, message_source_mode: 'group', action_policies: {}, message_policies: {} },
    ...{ message_policy_translations: [], member_monitor_ids: [], members: [] },
    ...{ component_ids: [], component_refs: [], component_warnings: [], has_component_warnings: false },
    ...{ current_stage: null, flapping: false, created_at: now.toISOString(), updated_at: now.toISOString() },
  })
  expect((await service.admin.get(`${path}/${body.id}`)).body).toEqual(body)
  expect(service.woken).toContainEqual({ kind: 'beat-group', id: body.id, pageId: service.page.id })
})

test('a group keeps all fields of its request', async () => {
  const { id, name } = await makeBeat(service, { external_id: 'member' })
  const said = {
    ...{
      description: 'D',
      external_id: 'all',
      impact: 'I',
      affected_items_freetext: 'F',
      message_source_mode: 'member',
    },
    ...{ automation_paused: true, automation_pause_reason: 'R', muted_until: '2026-12-01T00:00:00.000Z' },
    action_policies: { critical: { public_post: true, incident_status: 'major_outage' } },
    message_policies: { recovery: { title: '{{Monitor-Name}} is back' } },
    ...{ component_ids: [item], member_monitor_ids: [id] },
    message_policy_translations: [{ locale: 'de', values: { 'recovery.title': 'Zurück' }, state: 'published' }],
  }
  const made = await make(said)
  const listed = [{ id, name, external_id: 'member', current_stage: null }]
  expect(made).toMatchObject({ ...said, members: listed, component_refs: [{ id: item, slug: 'database' }] })
  expect((await service.admin.get(`${path}/external/all`)).body).toEqual(made)
  expect(await beat(id)).toMatchObject({ beat_group_id: made.id, version: 2 })
})

test.each([
  ['no name', { name: undefined }, 'name'],
  ['an unknown beat', { member_monitor_ids: [2_000_000_000] }, 'member_monitor_ids.0'],
  ['an unknown item', { component_ids: [2_000_000_000] }, 'component_ids.0'],
  ['a public post about nothing', { action_policies: post }, 'component_ids'],
  ['a mode that is none', { message_source_mode: 'all' }, 'message_source_mode'],
  ['an unknown status', { action_policies: { warning: { incident_status: 'x' } } }, 'action_policies.warning'],
  ['an unknown variable', { message_policies: { warning: { title: '{{No}}' } } }, 'message_policies.warning.title'],
  ['what only beats have', { enabled: true }, 'enabled'],
])('%s is refused', async (_what, body, where) => {
  const refused = await create(body)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, expect.stringMatching(`^${where}`)])
})

test('a repeated request answers with the stored group', async () => {
  const first = await create({ external_id: 'once' })
  expect([first.status, (await create({ external_id: 'once' })).status]).toEqual([201, 200])
  expect((await create({ external_id: 'once', name: 'Twice' })).body.code).toBe('external_id_conflict')
})

test('a change raises the version and wakes the process, and a request without a change does neither', async () => {
  const { id } = await make()
  const traces = await tracesOf(service)
  expect((await patch(id, { name: 'Checkout', component_ids: [] })).body.version).toBe(1)
  expect(await tracesOf(service)).toEqual(traces)
  const { body } = await patch(id, { muted_until: '2026-11-21T13:00:00.000Z', version: 1 })
  expect([body.muted_until, body.version]).toEqual(['2026-11-21T13:00:00.000Z', 2])
  expect(service.woken.at(-1)).toEqual({ kind: 'beat-group', id, pageId: service.page.id })
  expect((await patch(id, { muted_until: null, version: 1 })).body.current_version).toBe(2)
})

describe('PUT', () => {
  const put = (body: object) => service.admin.request('PUT', `${path}/external/put`, body)

  test('creates a group, then replaces its fields except for its members and switches', async () => {
    const { id } = await makeBeat(service)
    const said = { description: 'D', component_ids: [item], member_monitor_ids: [id], automation_paused: true }
    const made = await put({ name: 'Put', ...said })
    expect([made.status, made.body.version]).toEqual([201, 1])
    const { status, body } = await put({ name: 'Other' })
    expect([status, body]).toEqual([200, expect.objectContaining({ name: 'Other', description: '', version: 2 })])
    expect([body.component_ids, body.member_monitor_ids, body.automation_paused]).toEqual([[], [id], true])
    expect((await put(body)).body).toEqual(body)
    expect((await put({ name: 'Other', version: 1 })).body.current_version).toBe(2)
  })
})

test('a deleted group releases its members', async () => {
  const { id: member } = await makeBeat(service)
  const { id } = await make({ external_id: 'gone', component_ids: [item], member_monitor_ids: [member] })
  const left = await leaveOpen(service, 'beat_group', id, member)
  expect((await service.admin.del(`${path}/external/gone`)).status).toBe(200)
  const because = `the deletion of the group "Checkout" (${id})`
  expect(await left()).toEqual({ banner: because, action: `superseded: ${because}` })
  expect((await service.admin.get(`${path}/${id}`)).status).toBe(404)
  expect((await beat(member)).beat_group_id).toBe(undefined)
  const woken = service.woken.slice(-2).map(workflowIdOf)
  expect(woken.sort()).toEqual([`beat-group:${id}`, `beat:${member}`])
  expect((await make({ external_id: 'gone' })).id).not.toBe(id)
})

test('lists are compact, filtered and paged, the newest first', async () => {
  const one = await make({ name: 'Listed one' })
  const other = await make({ name: 'Listed two' })
  const list = async (query: string) => (await service.admin.get(`${path}?search=listed&${query}`)).body
  const first = await list('limit=1')
  expect([first.total, first.beat_groups]).toMatchObject([2, [{ id: other.id, name: 'Listed two' }]])
  expect(first.beat_groups[0]).not.toHaveProperty('members')
  expect((await list(`limit=1&cursor=${first.next_cursor}`)).beat_groups).toMatchObject([{ id: one.id }])
  expect((await list('view=full')).beat_groups).toEqual([other, one])
  expect((await list('stage=critical')).total).toBe(0)
})
