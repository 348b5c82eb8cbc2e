import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { makersOf } from './support/full-records.ts'

/** What requests may do with fields that the service sets: a create refuses them, a change compares or ignores them. */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T17:00:00Z') })
  await service.admin.patch('/admin/settings', { document_locale: 'en', supported_locales: ['en', 'de'] })
})
afterAll(() => service.close())

const makers = makersOf(() => service)

async function made(path: string, body: object): Promise<string> {
  return `${path}/${(await service.admin.post(path, body)).body.id}`
}

const first = async (path: string, name: string) => `${path}/${(await service.admin.get(path)).body[name][0].id}`

interface Kind {
  make(): Promise<string>
  /** Each with a value that no record has. */
  compared: Record<string, unknown>
  ignored?: Record<string, unknown>
  /** What a change must always name. */
  needs?: object
}

const time = '2001-02-03T04:05:06.000Z'
const times = { created_at: time, updated_at: time }
const acting = { status_page_id: 9, current_stage: 'critical', current_incident_id: 9 }

const kinds: Record<string, Kind> = {
  incident: {
    make: () => makers.incident(),
    compared: { id: 9_999, initial_status: 'major_outage', external_id: 'other', chat_channel_id: 'C2' },
    ignored: { ...times, acknowledged_at: time, resolved_at: time, lifecycle_stage: {}, updates: [] },
  },
  maintenance: {
    make: () => makers.maintenance(),
    compared: { id: 9_999, external_id: 'other', series_id: 9, occurrence_index: 9 },
    ignored: { ...times, started_at: time, ended_at: time, updates: [] },
    needs: { title: 'T' },
  },
  series: {
    make: () => makers.series(),
    compared: { id: 9_999, external_id: 'other' },
    ignored: { ...times, kept_occurrences: [] },
    needs: { title: 'T' },
  },
  item: {
    make: () => makers.item(),
    compared: { id: 9_999, status: 'major_outage', status_override: { status: 'degraded', reason: 'R', until: null } },
    ignored: { ...times, hierarchy_path: 'Elsewhere', archived_at: time },
  },
  level: { make: () => first('/admin/hierarchy/levels', 'levels'), compared: { id: 9_999, depth: 9 } },
  'status type': {
    make: () => first('/admin/status-types', 'status_types'),
    compared: { id: 9_999, key: 'other', display_order: 9, is_operational: false },
    ignored: times,
  },
  'lifecycle stage': {
    make: () => first('/admin/lifecycle-stages/incident', 'lifecycle_stages'),
    compared: { id: 9_999, display_order: 9 },
  },
  preset: { make: () => makers.preset(), compared: { id: 9_999 }, ignored: times },
  beat: {
    make: () => makers.beat(),
    compared: { id: 9_999, external_id: 'other', ...acting },
    ignored: { ...times, last_evidence_summary: 'none', flapping: true, has_component_warnings: true },
  },
  'group of beats': {
    make: () => makers.beatGroup(),
    compared: { id: 9_999, external_id: 'other', ...acting },
    ignored: { ...times, last_evidence_summary: 'none', component_warnings: [] },
  },
  'API token': {
    make: () => made('/admin/api-tokens', { name: 'T', permission: 'read' }),
    compared: { id: 9_999, permission: 'admin', role_key: 'page_admin', prefix: 'x', state: 'revoked' },
    ignored: { created_at: time, last_used_at: time },
  },
  page: {
    make: async () => '/admin/page',
    compared: { id: 9_999, organization_slug: 'other', public_url: 'https://other.test' },
  },
  settings: { make: async () => '/admin/settings', compared: {}, ignored: { updated_at: time } },
}

const compared = Object.entries(kinds).flatMap(([kind, { compared }]) =>
  Object.keys(compared).map((field) => [kind, field] as const),
)
const ignored = Object.entries(kinds).flatMap(([kind, { ignored = {} }]) =>
  Object.keys(ignored).map((field) => [kind, field] as const),
)

describe('a PATCH', () => {
  test.each(compared)('of the %s refuses another %s and accepts the stored one', async (kind, field) => {
    const { make, compared, needs } = kinds[kind]!
    const path = await make()
    const before = (await service.admin.get(path)).body
    const refused = await service.admin.patch(path, { ...needs, [field]: compared[field] })
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: field, message: `is read-only: the stored value is ${JSON.stringify(before[field] ?? null)}` }],
    ])
    const accepted = await service.admin.patch(path, { ...needs, [field]: before[field] ?? null })
    expect([accepted.status, accepted.body.errors]).toEqual([200, undefined])
    expect((await service.admin.get(path)).body[field]).toEqual(before[field])
  })

  test.each(ignored)('of the %s ignores %s', async (kind, field) => {
    const { make, ignored, needs } = kinds[kind]!
    const path = await make()
    const before = (await service.admin.get(path)).body
    const { status, body } = await service.admin.patch(path, { ...needs, [field]: ignored![field] })
    expect([status, body.errors]).toEqual([200, undefined])
    if (kind !== 'settings' && kind !== 'API token') expect((await service.admin.get(path)).body).toEqual(before)
  })
})

const creates: [string, string, object, string[]][] = [
  ['incident', '/admin/incidents', { title: 'T' }, ['id', 'version', 'resolved_at', 'created_at', 'updates']],
  ['backfilled incident', '/admin/incidents/backfill', { title: 'T', started_at: time }, ['id', 'version']],
  ['update', '', { message: 'M' }, ['id', 'is_resolution', 'created_at', 'previous_status']],
  ['maintenance', '/admin/maintenances', { title: 'T', affected_items: [{ id: 1 }] }, ['started_at', 'series_id']],
  ['item', '/admin/hierarchy/items', { name: 'N' }, ['status', 'archived_at', 'version']],
  ['level', '/admin/hierarchy/levels', { singular: 'S', plural: 'P' }, ['depth', 'version']],
  ['status type', '/admin/status-types', { key: 'k', name: 'N' }, ['is_operational', 'archived', 'display_order']],
  ['lifecycle stage', '/admin/lifecycle-stages/incident', { name: 'N' }, ['is_default', 'archived', 'id']],
  ['preset', '/admin/presets', { title: 'T', body: 'B' }, ['id', 'created_at', 'version']],
  ['group of beats', '/admin/beat-groups', { name: 'N' }, ['current_stage', 'version', 'created_at']],
  ['API token', '/admin/api-tokens', { name: 'N', permission: 'read' }, ['state', 'prefix', 'revoked_at']],
]

test.each(creates)('a create of the %s refuses the fields that the service sets', async (kind, path, body, fields) => {
  const to = kind === 'update' ? `${await makers.incident()}/updates` : path
  for (const field of fields) {
    const { status, body: answer } = await service.admin.post(to, { ...body, [field]: null })
    expect([field, status, answer.errors]).toEqual([field, 400, [{ path: field, message: expect.any(String) }]])
  }
})

describe('a PUT', () => {
  test('refuses another value of a read-only field of the record that it replaces', async () => {
    const path = await makers.incident()
    const { id, external_id } = (await service.admin.get(path)).body
    const put = (body: object) =>
      service.admin.request('PUT', `/admin/incidents/external/${external_id}`, { title: 'T', ...body })
    expect((await put({ id, initial_status: 'degraded', resolved_at: time })).status).toBe(200)
    expect((await put({ id: id + 1 })).body.errors).toEqual([
      { path: 'id', message: `is read-only: the stored value is ${id}` },
    ])
  })

  test('that creates a record refuses a read-only field and creates nothing', async () => {
    const { status, body } = await service.admin.request('PUT', '/admin/incidents/external/new-one', {
      title: 'T',
      id: 5,
    })
    expect([status, body.errors[0].path]).toEqual([400, 'id'])
    expect((await service.admin.get('/admin/incidents/external/new-one')).status).toBe(404)
  })
})

test('an edit of a timeline entry compares with the entry', async () => {
  const path = await makers.incident()
  const [entry] = (await service.admin.get(path)).body.updates
  const edit = (body: object) => service.admin.patch(`${path}/updates/${entry.id}`, { message: 'M', ...body })
  expect((await edit({ id: entry.id, is_resolution: false, created_at: time })).status).toBe(200)
  expect((await edit({ is_resolution: true })).body.errors[0].path).toBe('is_resolution')
})
