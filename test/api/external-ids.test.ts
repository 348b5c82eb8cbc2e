import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const incident = (body: object) => service.admin.post('/admin/incidents', { title: 'Down', ...body })
const item = (body: object) => service.admin.post('/admin/hierarchy/items', { name: 'API', ...body })

describe.each([
  ['an incident', incident, { description: 'other' }],
  ['an item', item, { description: 'other' }],
] as const)('%s', (name, create, other) => {
  const external_id = name.replaceAll(' ', '-')

  test('the same request again answers with the stored record, and nothing is done twice', async () => {
    const first = await create({ external_id })
    const left = await tracesOf(service)
    const woken = service.woken.length
    const again = await create({ external_id })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect([first.headers.get('location') === null, again.headers.get('location')]).toEqual([false, null])
    expect(await tracesOf(service)).toEqual(left)
    expect(service.woken).toHaveLength(woken)
  })

  test('another request is a conflict, and changes nothing', async () => {
    const left = await tracesOf(service)
    const { status, body } = await create({ external_id, ...other })
    expect([status, body.code]).toEqual([409, 'external_id_conflict'])
    expect(await tracesOf(service)).toEqual(left)
  })

  test('the order of the fields does not make another request', async () => {
    await create({ external_id: `${external_id}-order`, description: 'd' })
    const { status } = await create({ description: 'd', external_id: `${external_id}-order` })
    expect(status).toBe(200)
  })

  test('of twenty at once one is made', async () => {
    const before = await tracesOf(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create({ external_id: `${external_id}-at-once` })),
    )
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    const { audit, events } = await tracesOf(service)
    expect(audit).toBe(before.audit + 1)
    expect(events - before.events).toBeLessThanOrEqual(1)
  })

  test('is another one on another page', async () => {
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    const path = name === 'an incident' ? '/incidents' : '/hierarchy/items'
    const body = name === 'an incident' ? { title: 'Theirs', external_id } : { name: 'Theirs', external_id }
    expect((await service.otherAdmin.post(prefix + path, body)).status).toBe(201)
    const mine = await service.admin.get(`/admin${path}/external/${external_id}`)
    expect(mine.body.title ?? mine.body.name).not.toBe('Theirs')
  })
})

test('the request is compared, not the record: after changes the same request still finds it', async () => {
  const { body: made } = await incident({ external_id: 'changed', reminder_interval_minutes: 5 })
  await service.admin.post(`/admin/incidents/${made.id}/updates`, {
    message: 'worse',
    status: 'major_outage',
    impact: 'all',
    reminder_interval_minutes: null,
  })
  await service.admin.post(`/admin/incidents/${made.id}/resolve`)
  const again = await incident({ external_id: 'changed', reminder_interval_minutes: 5 })
  expect([again.status, again.body.id, again.body.status, again.body.version]).toEqual([200, made.id, 'resolved', 3])
})

test('a request that names the same items in other words is another request', async () => {
  const { body } = await item({ name: 'Web', slug: 'web' })
  expect((await incident({ external_id: 'words', affected_items: [{ id: body.id }] })).status).toBe(201)
  expect((await incident({ external_id: 'words', affected_items: [{ slug: 'web' }] })).status).toBe(409)
})

test.each(['.', '..'])('the external id "%s" cannot be part of a path and is refused', async (external_id) => {
  const message = 'must be neither "." nor "..", which have a meaning in a URL path'
  for (const create of [incident, item]) {
    const { status, body } = await create({ external_id })
    expect([status, body.errors]).toEqual([400, [{ path: 'external_id', message }]])
  }
})

test.each(['...', '.a', 'a/../b', '%2e'])('"%s" can, and reaches its record', async (external_id) => {
  const { body } = await incident({ external_id })
  const found = await service.admin.get(`/admin/incidents/external/${encodeURIComponent(external_id)}`)
  expect([found.status, found.body.id]).toEqual([200, body.id])
})

test('routes that name the record by its external id reach it', async () => {
  const { body: made } = await incident({ external_id: 'reached' })
  const path = '/admin/incidents/external/reached'
  expect((await service.admin.get(path)).body.id).toBe(made.id)
  const update = await service.admin.post(`${path}/updates`, { message: 'm' })
  expect(update.status).toBe(201)
  expect((await service.admin.get(`${path}/updates`)).body.total).toBe(1)
  const found = await service.admin.get(update.headers.get('location')!.replace('/api/v1', ''))
  expect([found.status, found.body.id]).toEqual([200, update.body.id])
  expect((await service.admin.post(`${path}/resolve`)).body.status).toBe('resolved')
})

const heartbeat = { type: 'heartbeat', target: { period_seconds: 60 } }
const window = {
  affected_items: [{ external_id: 'under-maintenance' }],
  scheduled_start_time: '2040-01-01T00:00:00Z',
  scheduled_end_time: '2040-01-01T01:00:00Z',
}
test.each([
  ['incidents', 'incident', { title: 'Raced' }],
  ['maintenances', 'maintenance', { title: 'Raced', ...window }],
  ['beats', 'beat', { name: 'Raced', ...heartbeat }],
  ['hierarchy/items', 'hierarchy_item', { name: 'Raced' }],
])(
  'a POST to %s whose record is deleted after the POST has found its id creates a record',
  async (path, table, body) => {
    await item({ external_id: 'under-maintenance' })
    const create = () => service.admin.post(`/admin/${path}`, { ...body, external_id: `raced-${table}` })
    const first = await create()
    expect(first.status).toBe(201)
    const deleted = afterQuery(`select id from "${table}" where external_id`, async () => {
      const { status } = await service.admin.del(`/admin/${path}/${first.body.id}`)
      return status
    })
    const second = await create()
    expect([await deleted, second.status]).toEqual([200, 201])
    expect(second.body.id).toBeGreaterThan(first.body.id)
  },
)

/** Runs `work` once, after the first query that contains this text and before its caller gets the answer. */
function afterQuery<T>(text: string, work: () => Promise<T>): Promise<T> {
  const original = pg.Client.prototype.query
  const { promise, resolve } = Promise.withResolvers<T>()
  pg.Client.prototype.query = function interleave(this: pg.Client, ...args: unknown[]) {
    const answer = Reflect.apply(original, this, args)
    if (!JSON.stringify(args[0]).includes(JSON.stringify(text).slice(1, -1))) return answer
    pg.Client.prototype.query = original
    return (answer as unknown as Promise<unknown>).then(async (rows) => {
      resolve(await work())
      return rows
    })
  } as typeof original
  return promise
}

describe('a request with a default value equals the request without the field', () => {
  const beat = {
    ...{ name: 'B', type: 'http', target: { url: 'https://example.com/' } },
    threshold_policies: { critical_rule: { consecutive_failures: 3 } },
  }
  const plan = async () => ({ title: 'T', affected_items: [{ id: (await item({})).body.id }] })
  const weekly = { recurrence_type: 'weekly', start_time: '02:30', start_date: '2099-01-05', duration_minutes: 60 }
  const past = { title: 'T', started_at: '2026-01-01T00:00:00Z' }

  test.each<[string, string, () => Promise<object>, object]>([
    [
      'an incident',
      '/incidents',
      async () => ({ title: 'T' }),
      {
        ...{ description: '', status: 'degraded', affected_items: [], started_at: null, notify: false },
        ...{ reminder_interval_minutes: null, lifecycle_stage_name: 'Investigating', translations: [] },
      },
    ],
    [
      'an incident of the past',
      '/incidents/backfill',
      async () => past,
      { description: '', updates: [], notify: false },
    ],
    [
      'a maintenance',
      '/maintenances',
      plan,
      {
        description: '',
        status: 'scheduled',
        auto_transition_enabled: false,
        scheduled_start_time: null,
        notify: false,
      },
    ],
    [
      'a series',
      '/maintenance-series',
      async () => ({ ...weekly, ...(await plan()) }),
      { status: 'active', timezone: 'UTC', generate_months: 3, ends_on: null, impact: null, notify: false },
    ],
    ['an item', '/hierarchy/items', async () => ({ name: 'N' }), { depth: 1 }],
    [
      'a beat',
      '/beats',
      async () => beat,
      {
        ...{ description: '', enabled: true, interval_seconds: 60, timeout_ms: 10_000, regions: ['local'] },
        ...{ action_policies: {}, component_ids: [], impact: null, public_metrics_enabled: false },
      },
    ],
    [
      'a group of beats',
      '/beat-groups',
      async () => ({ name: 'G' }),
      { description: '', message_source_mode: 'group', member_monitor_ids: [], automation_paused: false },
    ],
    [
      'an ingest endpoint',
      '/external-event-endpoints',
      async () => ({ name: 'E' }),
      { description: '', provider_type: 'generic', enabled: true },
    ],
  ])('%s', async (what, path, make, explicit) => {
    const body = await make()
    const create = (more: object, external_id: string) =>
      service.admin.post(`/admin${path}`, { ...body, ...more, external_id })
    for (const [first, second] of [
      [{}, explicit],
      [explicit, {}],
    ] as const) {
      const external_id = `${what.replaceAll(' ', '-')}-${Object.keys(first).length}`
      const made = await create(first, external_id)
      const again = await create(second, external_id)
      expect([made.status, again.status, again.body.error]).toEqual([201, 200, undefined])
      expect(again.body.id).toBe(made.body.id)
    }
    if (path.endsWith('/backfill')) return
    // A PUT that creates a record is followed by an equal create.
    const external_id = `${what.replaceAll(' ', '-')}-put`
    const put = await service.admin.request('PUT', `/admin${path}/external/${external_id}`, body)
    const again = await create(explicit, external_id)
    expect([put.status, again.status, again.body.error, again.body.id]).toEqual([201, 200, undefined, put.body.id])
    const other = await create('title' in body ? { title: 'Other' } : { name: 'Other' }, external_id)
    expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict'])
  })

  test('even if the default is another one by now, the very same request still finds its record', async () => {
    const external_id = 'default-moved'
    const { body: made } = await incident({ external_id, reminder_interval_minutes: 30 })
    await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: 30 })
    const again = await incident({ external_id, reminder_interval_minutes: 30 })
    await service.admin.patch('/admin/chat/settings', { reminder_interval_minutes: null })
    expect([again.status, again.body.id]).toEqual([200, made.id])
  })
})
