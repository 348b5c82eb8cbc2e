import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { beatsPath, changesOf, httpBeat, keptOf, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const patch = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)
const put = (externalId: string, body: object) =>
  service.admin.request('PUT', `${beatsPath}/external/${externalId}`, body)

test('a change raises the version, and the shards of the beat read the beat again', async () => {
  const { id } = await makeBeat(service)
  const before = await keptOf(service, id)
  const { status, body } = await patch(id, { interval_seconds: 5, version: 1 })
  expect([status, body.interval_seconds, body.version]).toEqual([200, 5, 2])
  expect((await keptOf(service, id))!.config_version).toBeGreaterThan(before!.config_version)
  expect(await changesOf(service, id)).toBe(2)
  expect(service.woken.at(-1)).toEqual({ kind: 'beat', id, pageId: service.page.id })
  expect((await patch(id, { interval_seconds: 6, version: 1 })).body).toMatchObject({ current_version: 2 })
})

test('a request without a difference changes nothing', async () => {
  const { id, ...made } = await makeBeat(service, { component_ids: [item] })
  const traces = await tracesOf(service)
  for (const body of [{}, { name: made.name }, { enabled: true, target: made.target }, { component_ids: [item] }]) {
    expect((await patch(id, body)).body).toEqual({ id, ...made })
  }
  expect([await tracesOf(service), await changesOf(service, id)]).toEqual([traces, 1])
})

test('null clears a field, and a policy is replaced as a whole', async () => {
  const policies = { warning: { admin_banner: true }, critical: { admin_banner: true } }
  const { id } = await makeBeat(service, { impact: 'I', automation_pause_reason: 'R', action_policies: policies })
  const said = { impact: null, automation_pause_reason: null, action_policies: { recovery: { admin_banner: true } } }
  const { body } = await patch(id, said)
  expect(body.action_policies).toEqual(said.action_policies)
  expect([body.impact, body.automation_pause_reason]).toEqual([undefined, undefined])
})

describe.each([
  [beatsPath, httpBeat],
  ['/admin/beat-groups', { name: 'G' }],
])('of %s', (path, least) => {
  const make = async (body: object) => (await service.admin.post(path, { ...least, ...body })).body
  const change = async (id: number, body: object) => (await service.admin.patch(`${path}/${id}`, body)).body

  test('null also clears fields that are never null', async () => {
    const action_policies = { critical: { admin_banner: true } }
    const said = { description: 'D', action_policies, message_policies: { critical: { title: 'T' } } }
    const { id } = await make(said)
    expect(await change(id, { description: null, action_policies: null, message_policies: null })).toMatchObject({
      ...{ description: '', action_policies: {}, message_policies: {}, version: 2 },
    })
    expect((await change(id, { name: null })).errors?.[0].path).toBe('name')
  })

  test('a mute with an end in the past is refused, unless the stored mute has that end', async () => {
    const past = { muted_until: '2026-11-21T11:59:00.000Z' }
    const refusal = { errors: [{ path: 'muted_until', message: 'lies in the past' }] }
    expect(await make(past)).toMatchObject(refusal)
    const { id } = await make({ muted_until: '2026-11-21T12:01:00.000Z', external_id: 'muted' })
    expect(await change(id, past)).toMatchObject(refusal)
    service.now = new Date('2026-11-21T12:02:00.000Z')
    const read = (await service.admin.get(`${path}/${id}`)).body
    expect(await change(id, read)).toEqual(read)
    expect(await change(id, { ...read, muted_until: '2026-11-21T13:01:00+01:00', name: 'N' })).toMatchObject({
      ...{ name: 'N', muted_until: read.muted_until },
    })
    const put = (body: object) => service.admin.request('PUT', `${path}/external/muted`, { ...least, ...body })
    expect((await put(past)).body).toMatchObject(refusal)
    expect((await put({ muted_until: read.muted_until })).status).toBe(200)
    service.now = now
  })

  test('the end of a pause clears its reason, unless the request has a reason', async () => {
    const pause = { automation_paused: true, automation_pause_reason: 'We move' }
    const { id } = await make(pause)
    expect(await change(id, { automation_paused: false })).not.toHaveProperty('automation_pause_reason')
    await change(id, pause)
    expect(await change(id, { ...pause, automation_paused: false })).toMatchObject({
      automation_pause_reason: 'We move',
    })
    expect(await change(id, { automation_paused: false })).toMatchObject({ automation_pause_reason: 'We move' })
  })
})

describe('a change of the type', () => {
  test('keeps a target that fits the new type', async () => {
    const { id } = await makeBeat(service)
    const { body } = await patch(id, { type: 'latency' })
    expect([body.type, body.target, body.version]).toEqual(['latency', httpBeat.target, 2])
  })

  test('otherwise needs a new target and valid rules', async () => {
    const { id } = await makeBeat(service)
    expect((await patch(id, { type: 'tcp' })).body.errors).toContainEqual({
      path: 'target.host',
      message: 'is required',
    })
    const target = { host: 'example.com', port: 25 }
    expect((await patch(id, { type: 'tcp', target })).body).toMatchObject({ type: 'tcp', target })
    const silent = await patch(id, { type: 'heartbeat', target: { period_seconds: 60 }, threshold_policies: {} })
    expect(silent.status).toBe(200)
    const loud = await patch(id, { type: 'http', target: httpBeat.target })
    expect(loud.body.errors?.[0].path).toBe('threshold_policies')
  })

  test('starts checks like those of a new beat', async () => {
    const { hasProgram } = service.services
    service.services.hasProgram = async () => false
    const { id } = await makeBeat(service, { type: 'dns', target: { host: 'example.com' } })
    expect((await patch(id, { type: 'ping' })).body.errors?.[0].path).toBe('type')
    service.services.hasProgram = hasProgram
  })
})

test.each([
  ['the last rule', { threshold_policies: {} }, 'threshold_policies'],
  ['what a public post is about', { affected_items_freetext: null }, 'component_ids'],
  ['a status for one that is none', { action_policies: { warning: { incident_status: 'x' } } }, 'action_policies'],
  ['a group for one that is none', { beat_group_id: 2_000_000_000 }, 'beat_group_id'],
  ['a target for a wrong one', { target: { url: 'x' } }, 'target.url'],
])('a change cannot remove %s', async (_what, body, where) => {
  const { id } = await makeBeat(service, {
    ...{ affected_items_freetext: 'all', action_policies: { critical: { public_post: true } } },
  })
  const refused = await patch(id, body)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, expect.stringMatching(`^${where}`)])
  expect((await service.admin.get(`${beatsPath}/${id}`)).body.version).toBe(1)
})

test('readers see metrics at the named mapped item, else at the first mapped item', async () => {
  const other = await makeItem(service, 'Other')
  const { id } = await makeBeat(service, { public_metrics_enabled: true, component_ids: [item, other] })
  const at = async (body: object) => (await patch(id, body)).body.public_metrics_component_id
  expect(await at({ name: 'N' })).toBe(item)
  expect(await at({ public_metrics_component_id: other })).toBe(other)
  expect(await at({ component_ids: [item] })).toBe(item)
  expect((await patch(id, { component_ids: [] })).body.errors?.[0].path).toBe('component_ids')
  expect(await at({ component_ids: [], public_metrics_enabled: false })).toBe(undefined)
})

describe('PUT', () => {
  test('creates a missing beat', async () => {
    const { status, body, headers } = await put('put-new', httpBeat)
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/admin/beats/external/put-new'])
    expect(body).toMatchObject({ ...httpBeat, external_id: 'put-new', version: 1 })
  })

  test('replaces an existing beat except its group and its switches', async () => {
    const said = { description: 'D', impact: 'I', interval_seconds: 5, timeout_ms: 200, component_ids: [item] }
    const switches = { enabled: false, automation_paused: true, muted_until: '2026-12-01T00:00:00.000Z' }
    const words = [{ locale: 'de', values: { 'warning.title': 'W' }, state: 'published' }]
    const more = { regions: ['eu'], message_policy_translations: words }
    await put('put-again', { ...httpBeat, ...said, ...switches, ...more })
    const { status, body } = await put('put-again', { ...httpBeat, name: 'Other' })
    const expected = {
      name: 'Other',
      description: '',
      interval_seconds: 60,
      timeout_ms: 10_000,
      ...switches,
      version: 2,
    }
    expect([status, body]).toEqual([200, expect.objectContaining({ ...expected, regions: ['local'] })])
    expect([body.impact, body.component_ids, body.message_policy_translations]).toEqual([
      undefined,
      [],
      [expect.objectContaining({ locale: 'de' })],
    ])
    expect((await put('put-again', { ...httpBeat, name: 'Other' })).body.version).toBe(2)
    expect((await put('put-again', { ...httpBeat, version: 1 })).body).toMatchObject({ current_version: 2 })
  })

  test('validates a replacement with the same rules', async () => {
    await put('put-wrong', httpBeat)
    const refused = await put('put-wrong', { ...httpBeat, threshold_policies: undefined })
    expect(refused.body.errors?.[0].path).toBe('threshold_policies')
  })
})
