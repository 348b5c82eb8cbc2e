import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeEndpoint, makeEventBeat, makeTrigger, send } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let source_id: number
let token: string
beforeAll(async () => {
  service = await openTestService()
  ;({ id: source_id, token } = await makeEndpoint(service, { external_id: 'alerts' }))
})
afterAll(() => service?.close())

const stage_mapping = { default_stage: 'warning' }
const create = (fields: object) =>
  service.admin.post('/admin/external-triggers', { name: 'Rule', source_id, stage_mapping, draft: true, ...fields })

const leaf = (path: string, operator = 'exists', value?: unknown) => ({
  ...{ path, operator },
  ...(value === undefined ? {} : { value }),
})
const refusals: [string, object, string][] = [
  [
    'an unknown operator',
    { conditions: { all: [leaf('$.a'), leaf('$.a', 'like', 'x')] } },
    'conditions.all.1.operator',
  ],
  ['an empty group', { conditions: { any: [{ all: [] }] } }, 'conditions.any.0'],
  [
    'a node of another shape',
    { conditions: { any: [{ path: '$.a', operator: 'exists', more: 1 }] } },
    'conditions.any.0.more',
  ],
  ['a path without a root', { conditions: leaf('status') }, 'conditions.path'],
  ['a JSON path that cannot be compiled', { conditions: { all: [leaf('$.a[')] } }, 'conditions.all.0.path'],
  ['a pattern that cannot be compiled', { conditions: leaf('$.a', 'regex', '(') }, 'conditions.value'],
  ['a pattern that repeats too much', { conditions: leaf('$.a', 'regex', '((a{50}){50}){50}') }, 'conditions.value'],
  ['a comparison with a text', { conditions: leaf('$.a', 'greater_than', 'many') }, 'conditions.value'],
  ['a moment that is none', { conditions: leaf('$.a', 'after', 'yesterday') }, 'conditions.value'],
  ['too many conditions', { conditions: { all: Array(101).fill(leaf('$.a')) } }, 'conditions'],
  ['groups that are nested too deeply', { conditions: nested(9) }, `conditions${'.all.0'.repeat(8)}`],
  ['an unknown stage', { stage_mapping: { default_stage: 'bad' } }, 'stage_mapping.default_stage'],
  ['values without a path', { stage_mapping: { values: { a: 'critical' } } }, 'stage_mapping'],
  ['no stage at all', { stage_mapping: {} }, 'stage_mapping'],
  [
    'an event id that is the fingerprint',
    { output_mapping: { fingerprint_path: '$.id', external_event_id_path: '$.id' } },
    'output_mapping.external_event_id_path',
  ],
  [
    'an event id that is the fingerprint in brackets',
    { output_mapping: { fingerprint_path: '$.id', external_event_id_path: "$['id']" } },
    'output_mapping.external_event_id_path',
  ],
  [
    'an event id that is the fingerprint by the other name of the payload',
    { output_mapping: { fingerprint_path: '$.id', external_event_id_path: 'event.payload.id' } },
    'output_mapping.external_event_id_path',
  ],
  ['a text that is redacted', { output_mapping: { summary_path: '$.auth.token' } }, 'output_mapping.summary_path'],
  ['an unknown beat', { associations: [{ monitor_id: 4711 }] }, 'associations.0.monitor_id'],
  ['an unknown endpoint', { source_id: 4711 }, 'source_id'],
  ['two endpoints', { source: { external_id: 'alerts' }, source_id: 4711 }, 'source'],
  ['a read-only field', { match_count: 3 }, 'match_count'],
]
function nested(depth: number): object {
  return depth === 0 ? leaf('$.a') : { all: [nested(depth - 1)] }
}

test.each(refusals)('a trigger with %s is refused, and the error names the node', async (_what, fields, path) => {
  const { status, body } = await create(fields)
  expect([status, body.errors?.[0].path]).toEqual([400, path])
})

test('a trigger is stored as it was sent, changed in parts, and deleted', async () => {
  const beat = await makeEventBeat(service, { external_id: 'orders' })
  const fields = {
    each_path: '$.alerts[*]',
    conditions: {
      any: [leaf('$.a'), { all: [leaf('headers.X-Kind', 'equals', 'a'), leaf('event.received_at', 'after', '-15m')] }],
    },
    stage_mapping: { state_path: '$.state', values: { bad: 'critical', good: 'healthy' }, default_stage: 'warning' },
    output_mapping: { fingerprint_path: '$.id', observed_at_path: "$['endsAt','startsAt']" },
    safety_settings: { public_post_mode: 'draft_only' },
    silence_minutes: 30,
  }
  const created = await create({ ...fields, associations: [{ monitor: { external_id: 'orders' } }] })
  expect(created).toMatchObject({ status: 201, body: { ...fields, enabled: true, draft: true, version: 1 } })
  const { id, associations } = created.body
  expect(associations).toEqual([
    { monitor_id: beat, monitor: { id: beat, external_id: 'orders' }, kind: 'beat', role: 'stage' },
  ])
  const read = (await service.admin.get(`/admin/external-triggers/${id}`)).body
  expect(read).toEqual(created.body)
  const same = await service.admin.patch(`/admin/external-triggers/${id}`, { ...read, version: undefined })
  expect(same.body).toEqual(read)
  const changed = await service.admin.patch(`/admin/external-triggers/${id}`, { silence_minutes: null, name: 'Other' })
  expect(changed.body).toMatchObject({ silence_minutes: null, name: 'Other', version: 2, each_path: '$.alerts[*]' })
  expect((await service.admin.del(`/admin/external-triggers/${id}`)).status).toBe(200)
  expect((await service.admin.get(`/admin/external-triggers/${id}`)).status).toBe(404)
})

test('a stage needs a beat that takes external events, evidence may go to any beat', async () => {
  const { body: beat } = await service.admin.post('/admin/beats', {
    ...{ name: 'Site', type: 'http', target: { url: 'https://example.com' } },
    threshold_policies: { critical_rule: { consecutive_failures: 2 } },
  })
  const stage = await create({ associations: [{ monitor_id: beat.id }] })
  expect([stage.status, stage.body.errors[0].path]).toEqual([400, 'associations.0.monitor_id'])
  expect((await create({ associations: [{ monitor_id: beat.id, role: 'evidence' }] })).status).toBe(201)
})

test('a trigger with a path that no stored event has is enabled only with a confirmation', async () => {
  await send(service, token, { state: 'firing', list: [{ deep: 1 }] }, { 'X-Kind': 'a' })
  const known = { conditions: { all: [leaf('$.state'), leaf('headers.x-kind'), leaf('event.received_at')] } }
  expect((await create({ ...known, draft: false })).status).toBe(201)
  const unknown = await create({ conditions: { all: [leaf('$.state'), leaf('$.stat')] }, draft: false })
  expect([unknown.status, unknown.body.errors.map((one: { path: string }) => one.path)]).toEqual([
    400,
    ['conditions.all.1.path'],
  ])
  expect(
    (await create({ ...unknown, conditions: leaf('$.stat'), draft: false, confirm_no_evidence: true })).status,
  ).toBe(400)
  const confirmed = await create({ conditions: leaf('$.stat'), draft: false, confirm_no_evidence: true })
  expect(confirmed.status).toBe(201)
  const draft = await create({ conditions: leaf('$.stat') })
  const enabling = await service.admin.patch(`/admin/external-triggers/${draft.body.id}`, { draft: false })
  expect(enabling.status).toBe(400)
  const each = {
    each_path: '$.list[*]',
    conditions: leaf('$.deep'),
    output_mapping: { summary_path: 'event.payload.state' },
  }
  expect((await create({ ...each, draft: false })).status).toBe(201)
})

test('a create under an external id may be repeated', async () => {
  const first = await makeTrigger(service, source_id, [], { external_id: 'rule-1' })
  const again = await makeRepeated()
  expect([again.status, again.body.id]).toEqual([200, first.id])
  const other = await service.admin.post('/admin/external-triggers', { ...repeated, name: 'Another' })
  expect(other.status).toBe(409)
})

test('a create that equals the PUT which made the trigger finds it', async () => {
  const external_id = 'rule-by-put'
  const path = `/admin/external-triggers/external/${external_id}`
  const body = { ...repeated, source_id, external_id }
  const put = await service.admin.request('PUT', path, { ...body, external_id: undefined })
  const again = await service.admin.post('/admin/external-triggers', { ...body, enabled: true, draft: false })
  expect([put.status, again.status, again.body.id]).toEqual([201, 200, put.body.id])
  const other = await service.admin.post('/admin/external-triggers', { ...body, name: 'Another' })
  expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict'])
})

const repeated = {
  ...{ name: 'Alerts to stages', confirm_no_evidence: true, external_id: 'rule-1' },
  conditions: { path: '$.state', operator: 'exists' },
  stage_mapping: { state_path: '$.state', values: { firing: 'critical', degraded: 'warning', ok: 'healthy' } },
  output_mapping: { fingerprint_path: '$.alert', summary_path: '$.text' },
}
const makeRepeated = () => service.admin.post('/admin/external-triggers', { ...repeated, source_id, associations: [] })

test('PUT creates an endpoint and a trigger under their external ids, replaces them, and keeps their switches', async () => {
  const at = '/admin/external-event-endpoints/external/put-1'
  const put = (path: string, body: object) => service.admin.request('PUT', path, body)
  const created = await put(at, { name: 'Pager', description: 'One' })
  expect([created.status, created.body.ingest_token?.slice(0, 4)]).toEqual([201, 'upi_'])
  await service.admin.post(`/admin/external-event-endpoints/${created.body.id}/disable`, {})
  const replaced = await put(at, { name: 'Pager 2' })
  expect(replaced).toMatchObject({ status: 200, body: { name: 'Pager 2', description: '', enabled: false } })
  expect(replaced.body.ingest_token).toBeUndefined()
  const rule = { name: 'Rule', source: { external_id: 'put-1' }, draft: true, stage_mapping, silence_minutes: 5 }
  const trigger = await put('/admin/external-triggers/external/rule-put', rule)
  expect([trigger.status, trigger.body.silence_minutes]).toEqual([201, 5])
  const { silence_minutes: _, draft: __, ...rest } = rule
  const again = await put('/admin/external-triggers/external/rule-put', rest)
  expect(again).toMatchObject({
    status: 200,
    body: { id: trigger.body.id, silence_minutes: null, draft: true, version: 2 },
  })
})
