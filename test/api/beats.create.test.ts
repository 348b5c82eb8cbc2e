import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatsPath, changesOf, httpBeat, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database', { external_id: 'db' })
})
afterAll(() => service.close())

const create = (body: object = {}) => service.admin.post(beatsPath, { ...httpBeat, ...body })

test('a beat with the required fields has the defaults, and its shard is notified', async () => {
  const { status, body, headers } = await create()
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/beats/${body.id}`])
  expect(body).toEqual({
    ...httpBeat,
    ...{ id: expect.any(Number), status_page_id: service.page.id, description: '', version: 1 },
    ...{ enabled: true, automation_paused: false, interval_seconds: 60, timeout_ms: 10_000, regions: ['local'] },
    ...{ action_policies: {}, message_policies: {}, message_policy_translations: [] },
    ...{ component_ids: [], component_refs: [], component_warnings: [], has_component_warnings: false },
    ...{ public_metrics_enabled: false, current_stage: null, flapping: false },
    ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
  })
  expect((await service.admin.get(`${beatsPath}/${body.id}`)).body).toEqual(body)
  expect(service.woken).toContainEqual({ kind: 'beat', id: body.id, pageId: service.page.id })
  expect(await changesOf(service, body.id)).toBe(1)
})

test('a beat has all fields of its request', async () => {
  const said = {
    ...{
      description: 'D',
      external_id: 'checkout',
      type: 'api',
      impact: 'Slow',
      affected_items_freetext: 'the old site',
    },
    ...{ interval_seconds: 5, timeout_ms: 500, regions: ['eu-west', 'us_1'], enabled: false },
    ...{ automation_paused: true, automation_pause_reason: 'Moving', muted_until: '2026-11-22T00:00:00.000Z' },
    target: { url: 'https://example.com/', assertions: [{ source: 'json', path: '$.ok', operator: 'exists' }] },
    threshold_policies: { warning_rule: { latency_ms_over: 900 }, recovery_rule: { consecutive_successes: 2 } },
    action_policies: {
      warning: { admin_banner: true },
      critical: { public_post: true, public_post_mode: 'automatic', incident_status: 'major_outage' },
      recovery: { public_post: true, incident_status: 'resolved', lifecycle_stage_name: 'Resolved' },
    },
    message_policies: { warning: { title: '{{Monitor-Name}} is slow', body: 'Seen: {{Evidence-Summary}}' } },
    component_refs: [{ slug: 'database' }],
    ...{ public_metrics_enabled: true, public_metrics_label: 'Latency', public_metrics_max_range: '30d' },
    message_policy_translations: [{ locale: 'de', values: { 'warning.title': 'Langsam' }, state: 'published' }],
  }
  const { status, body } = await create(said)
  expect([status, body.errors]).toEqual([201, undefined])
  expect(body).toMatchObject({
    ...said,
    ...{ component_ids: [item], component_refs: [{ id: item, slug: 'database', external_id: 'db' }] },
    public_metrics_component_id: item,
    message_policy_translations: [{ locale: 'de', values: { 'warning.title': 'Langsam' }, version: 1 }],
  })
  expect((await service.admin.get(`${beatsPath}/external/checkout`)).body).toEqual(body)
})

test('the default timeout is not longer than the interval', async () => {
  expect((await create({ interval_seconds: 3 })).body.timeout_ms).toBe(3000)
  expect((await create({ interval_seconds: 3, timeout_ms: 5000 })).body.timeout_ms).toBe(5000)
})

test('the setting synthetics_region is the default region of beats', async () => {
  await service.admin.patch('/admin/settings', { synthetics_region: 'eu-west' })
  expect((await create()).body.regions).toEqual(['eu-west'])
  await service.admin.patch('/admin/settings', { synthetics_region: null })
  expect((await create()).body.regions).toEqual(['local'])
})

test('a repeated request is answered with the stored beat, and another request is refused', async () => {
  const first = await create({ external_id: 'once' })
  const again = await create({ external_id: 'once' })
  expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
  const other = await create({ external_id: 'once', name: 'Twice' })
  expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict'])
})

test.each([
  ['heartbeat', { period_seconds: 60 }],
  ['external_event', { kind: 'external_event' }],
])('a beat of the type %s needs no threshold rule', async (type, target) => {
  expect((await create({ type, target, threshold_policies: undefined })).status).toBe(201)
})

test('lists are compact, filtered and paged, newest first', async () => {
  const external_id = 'listed'
  const one = await makeBeat(service, { name: 'Listed one', external_id, type: 'tls', target: { host: 'a.example' } })
  const other = await makeBeat(service, { name: 'Listed two', enabled: false, component_ids: [item] })
  const list = async (query: string) => (await service.admin.get(`${beatsPath}?${query}`)).body
  const found = await list('search=listed')
  expect(found.beats.map(({ id }: { id: number }) => id)).toEqual([other.id, one.id])
  expect(found.beats[1]).toMatchObject({ name: 'Listed one', external_id, current_stage: null, version: 1 })
  expect(found.beats[1]).not.toHaveProperty('target')
  expect((await list('search=listed&view=full')).beats).toEqual([other, one])
  const first = await list('search=listed&limit=1')
  expect([first.total, first.beats.length]).toEqual([2, 1])
  expect((await list(`search=listed&limit=1&cursor=${first.next_cursor}`)).beats).toMatchObject([{ id: one.id }])
  expect((await list('search=listed&type=tls')).total).toBe(1)
  expect((await list('search=listed&enabled=false')).beats).toMatchObject([{ id: other.id }])
  expect((await list(`search=listed&item_id=${item}`)).beats).toMatchObject([{ id: other.id }])
  expect((await list('search=listed&stage=unknown')).total).toBe(2)
  expect((await list('search=listed&stage=critical')).total).toBe(0)
})

test('ten concurrent requests with one external id create one beat, by POST and by PUT', async () => {
  const url = 'https://example.com/?token=abc'
  const said = { ...httpBeat, target: { url } }
  const ten = (call: () => ReturnType<typeof create>) => Promise.all(Array.from({ length: 10 }, call))
  const posted = await ten(() => create({ ...said, external_id: 'at-once' }))
  const put = await ten(() => service.admin.request('PUT', `${beatsPath}/external/put-at-once`, said))
  for (const answers of [posted, put]) {
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.version}`)).size).toBe(1)
  }
})
