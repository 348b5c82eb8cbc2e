import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { administer } from '../support/administrator.ts'
import { evaluate, makeEndpoint, makeEventBeat, makeTrigger, send } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let endpoint: { id: number; token: string }
let beat: number
beforeAll(async () => {
  service = await openTestService()
  endpoint = await makeEndpoint(service)
  beat = await makeEventBeat(service, {
    affected_items_freetext: 'The shop',
    action_policies: { critical: { admin_banner: true, public_post: true, public_post_mode: 'automatic' } },
  })
})
afterAll(() => service?.close())

const course = [
  { state: 'firing', alert: 'cpu', text: 'one' },
  { state: 'firing', alert: 'disk', text: 'two' },
  { state: 'firing', alert: 'cpu', text: 'three' },
  { state: 'ok', alert: 'cpu', text: 'four' },
  { state: 'ok', alert: 'memory', text: 'five' },
  { state: 'odd', alert: 'cpu', text: 'six' },
  { state: 'degraded', alert: 'net', text: 'seven', id: 'x-1' },
  { state: 'degraded', alert: 'net', text: 'eight', id: 'x-1' },
  { other: true },
]
const rule = {
  conditions: { path: '$.state', operator: 'exists' },
  stage_mapping: { state_path: '$.state', values: { firing: 'critical', degraded: 'warning', ok: 'healthy' } },
  output_mapping: { fingerprint_path: '$.alert', summary_path: '$.text', external_event_id_path: '$.id' },
}

/** Each row of each table, to compare the whole database. */
async function contents(): Promise<string> {
  const tables = await administer<{ name: string }>(
    service,
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  )
  const rows = []
  for (const { name } of tables) {
    rows.push(
      name,
      ...(await administer<{ row: string }>(service, `select to_jsonb(t)::text as row from ${name} t order by 1`)),
    )
  }
  return JSON.stringify(rows).replace(/last_used_at[^,}]*/g, '')
}

test('a preview decides as the inbox does on the same events, and writes nothing', async () => {
  const trigger = await makeTrigger(service, endpoint.id, [beat], { ...rule, external_id: 'shop-alerts' })
  const sent: number[] = []
  for (const event of course) sent.push((await send(service, endpoint.token, event)).body.event_id)
  await evaluate(service, endpoint.id)
  const before = await contents()
  const { status, body } = await service.admin.post(`/admin/external-triggers/${trigger.id}/preview`, {})
  expect(status).toBe(200)
  expect(await contents()).toBe(before)
  const labels: Record<string, string[]> = {
    transition: ['firing', 'recovery'],
    evidence_updated: ['evidence_update', 'firing', 'recovery'],
    duplicate: ['duplicate'],
    stale: ['stale'],
  }
  for (const id of sent) {
    const { evaluations } = (await service.admin.get(`/admin/external-events/${id}`)).body
    const [live] = evaluations
    const shown = body.matched.find((one: { event_id: number }) => one.event_id === id)
    if (['no_match', 'no_stage'].includes(live.outcome)) {
      expect([id, shown]).toEqual([id, undefined])
      continue
    }
    expect([id, shown.stage, shown.fingerprint]).toEqual([id, live.stage, live.fingerprint])
    expect(labels[live.outcome]).toContain(shown.label)
  }
  expect(body).toMatchObject({
    evaluated: course.length,
    pairs: [{ fingerprint: 'cpu', firing_event_id: sent[0], recovery_event_id: sent[3] }],
    unpaired: [
      { fingerprint: 'memory', event_id: sent[4], label: 'recovery' },
      { fingerprint: 'disk', event_id: sent[1], label: 'firing' },
      { fingerprint: 'net', event_id: sent[6], label: 'firing' },
    ],
    duplicates: 1,
    auto_post_risk: true,
  })
  expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['automatic_public_post'])
  expect(body.actions[0]).toMatchObject({ beat: { id: beat }, stage: 'critical', action: 'admin_banner' })
  expect(body.actions[1]).toMatchObject({ action: 'public_post', mode: 'automatic' })
})

test('the preview of a draft warns of what would go wrong', async () => {
  const trigger = {
    source_id: endpoint.id,
    conditions: {
      any: [
        { path: '$.nothing', operator: 'exists', value: false },
        { path: '$.password', operator: 'exists' },
        { path: 'headers.Authorization', operator: 'exists' },
      ],
    },
    stage_mapping: { default_stage: 'critical' },
    safety_settings: { public_post_mode: 'automatic' },
  }
  const { body } = await service.admin.post('/admin/external-triggers/preview', { trigger })
  expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual([
    ...['matches_everything', 'no_recovery', 'automatic_public_post'],
    ...['no_evidence', 'no_evidence', 'no_evidence', 'redacted_values', 'redacted_values'],
  ])
  expect(body.warnings.at(-2).message).toContain('and the value of the event in the inbox')
  expect(body.warnings.at(-1).message).toBe(
    'The condition on headers.Authorization can never match a value: headers that carry credentials are not stored.',
  )
})

test('the preview of a changed trigger shows where the two differ', async () => {
  const { body: list } = await service.admin.get('/admin/external-triggers')
  const stage_mapping = { state_path: '$.state', values: { firing: 'warning', degraded: 'warning', ok: 'healthy' } }
  const { id } = list.external_triggers[0]
  const { body } = await service.admin.post(`/admin/external-triggers/${id}/preview`, { trigger: { stage_mapping } })
  expect(body.changes[0]).toMatchObject({ saved: { stage: 'critical' }, proposed: { stage: 'warning' } })
  expect(body.changes).toHaveLength(3)
})

test('a preview shows a fingerprint that flaps', async () => {
  const { id, token } = await makeEndpoint(service)
  for (const state of ['firing', 'ok', 'firing', 'ok', 'firing']) await send(service, token, { state, alert: 'door' })
  await evaluate(service, id)
  const { body } = await service.admin.post('/admin/external-triggers/preview', { trigger: { ...rule, source_id: id } })
  expect(body.flapping).toMatchObject([{ fingerprint: 'door', changes: 5 }])
})

test('a window that ends before it begins is refused', async () => {
  const { id } = await makeTrigger(service, endpoint.id, [beat])
  const window = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
  const { status, body } = await service.admin.post(`/admin/external-triggers/${id}/preview`, window)
  expect([status, body.errors]).toEqual([400, [{ path: 'to', message: 'must not be before `from`' }]])
})
