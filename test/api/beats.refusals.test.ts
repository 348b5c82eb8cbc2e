import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatsPath, httpBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  await makeItem(service, 'Database', { external_id: 'db' })
})
afterAll(() => service.close())

const create = (body: object = {}) => service.admin.post(beatsPath, { ...httpBeat, ...body })

const post = { critical: { public_post: true } }

test.each([
  ['no name', { name: undefined }, 'name', /is required/],
  ['no type', { type: undefined }, 'type', /^is required: one of "http", /],
  ['a type that is none', { type: 'browser' }, 'type', /^must be one of "http", /],
  ['no target', { target: undefined }, 'target', /is required/],
  ['a target that is none', { target: 'https://example.com' }, 'target', /must be an object/],
  ['a target of another type', { type: 'tcp' }, 'target.host', /is required/],
  ['a target without its URL', { target: {} }, 'target.url', /is required/],
  ['a surplus field of a target', { target: { url: 'https://a.example', port: 1 } }, 'target.port', /is not a field/],
  ['a secret without a stored value', { target: { url: 'https://a.example/?token=•••' } }, 'target.url', /stands for/],
  [
    'a hidden header',
    { target: { url: 'https://a.example', headers: { Authorization: '•••' } } },
    'target.headers.Authorization',
    /stands for/,
  ],
  ['a URL that is no text', { target: { url: 5 } }, 'target.url', /must be a text/],
  ['a host that is none', { target: { url: 'http://1270.0.1/' } }, 'target.url', /^has a host that is not valid: 1270/],
  [
    'a port that is none',
    { target: { url: 'http://localhost:0/' } },
    'target.url',
    /^must have a port from 1 to 65535/,
  ],
  [
    'a body of an answer that has none',
    {
      type: 'api',
      target: {
        url: 'https://a.example',
        method: 'HEAD',
        assertions: [{ source: 'body', operator: 'contains', value: 'a' }],
      },
    },
    'target.assertions.0.source',
    /with the method HEAD/,
  ],
  [
    'a cron expression that is none',
    { type: 'heartbeat', target: { cron: '* * *' } },
    'target.cron',
    /^must have five fields or be a name such as @daily$/,
  ],
  ['no rule', { threshold_policies: undefined }, 'threshold_policies', /warning_rule or a critical_rule/],
  [
    'a recovery rule alone',
    { threshold_policies: { recovery_rule: { consecutive_successes: 1 } } },
    'threshold_policies',
    /warning_rule or a critical_rule/,
  ],
  [
    'no failure in a row',
    { threshold_policies: { critical_rule: { consecutive_failures: 0 } } },
    'threshold_policies.critical_rule.consecutive_failures',
    /must be at least/,
  ],
  ['an empty rule', { threshold_policies: { warning_rule: {} } }, 'threshold_policies.warning_rule', /at least one/],
  ['an interval of nothing', { interval_seconds: 0 }, 'interval_seconds', /must be at least/],
  ['an interval of more than a day', { interval_seconds: 86_401 }, 'interval_seconds', /must be at most 86400/],
  ['a short timeout', { timeout_ms: 99 }, 'timeout_ms', /must be at least/],
  ['no region', { regions: [] }, 'regions', /must hold at least 1 entry/],
  ['a region twice', { regions: ['a', 'a'] }, 'regions', /twice/],
  ['a region that cannot be one', { regions: ['EU'] }, 'regions.0', /must be the name of a region/],
  ['an unknown item', { component_ids: [2_000_000_000] }, 'component_ids.0', /no item with id 2000000000/],
  ['an unknown slug', { component_refs: [{ slug: 'none' }] }, 'component_refs.0', /no item with slug "none"/],
  ['a public post about nothing', { action_policies: post }, 'component_ids', /affected_items_freetext/],
  ['public metrics of nothing', { public_metrics_enabled: true }, 'component_ids', /mapped/],
  [
    'public metrics of something else',
    { component_refs: [{ slug: 'database' }], public_metrics_component_id: 2_000_000_000 },
    'public_metrics_component_id',
    /is not a mapped item/,
  ],
  ['a range that is none', { public_metrics_max_range: '1y' }, 'public_metrics_max_range', /./],
  ['an unknown group', { beat_group_id: 2_000_000_000 }, 'beat_group_id', /no beat group/],
  ['an unknown stage', { action_policies: { healthy: {} } }, 'action_policies.healthy', /is not a field/],
  [
    'an unknown status',
    { action_policies: { warning: { incident_status: 'bad' } } },
    'action_policies.warning.incident_status',
    /not a status of this page/,
  ],
  [
    'resolved while it is ill',
    { action_policies: { critical: { incident_status: 'resolved' } } },
    'action_policies.critical.incident_status',
    /not a status/,
  ],
  [
    'an operational status while it is ill',
    { action_policies: { warning: { incident_status: 'operational' } } },
    'action_policies.warning.incident_status',
    /"operational" is operational/,
  ],
  [
    'opening again by recovery',
    { action_policies: { recovery: { reopen_within_minutes: 5 } } },
    'action_policies.recovery.reopen_within_minutes',
    /belongs to warning and critical/,
  ],
  [
    'a rule that no type of it can meet',
    { threshold_policies: { warning_rule: { packet_loss_over: 5 } } },
    'threshold_policies.warning_rule.packet_loss_over',
    /only a beat of the type ping/,
  ],
  [
    'more regions than there are',
    { threshold_policies: { critical_rule: { consecutive_failures: 1, regions_failing: 2 } } },
    'threshold_policies.critical_rule.regions_failing',
    /2 is more than the number of regions: the beat has one region/,
  ],
  [
    'an unknown lifecycle stage',
    { action_policies: { recovery: { lifecycle_stage_name: 'Gone' } } },
    'action_policies.recovery.lifecycle_stage_name',
    /Investigating/,
  ],
  [
    'an unknown variable',
    { message_policies: { critical: { body: 'x {{Incident-Title}}' } } },
    'message_policies.critical.body',
    /\{\{Incident-Title\}\}.*Monitor-Name/,
  ],
  [
    'an unknown variable in another language',
    { message_policy_translations: [{ locale: 'de', values: { 'recovery.title': '{{Nichts}}' } }] },
    'message_policy_translations.0.values.recovery.title',
    /Nichts/,
  ],
  [
    'a translation of nothing',
    { message_policy_translations: [{ locale: 'de', values: { title: 'T' } }] },
    'message_policy_translations.0.values.title',
    /is not a field/,
  ],
  [
    'an unknown preset',
    { message_policies: { warning: { preset_message_id: 2_000_000_000 } } },
    'message_policies.warning.preset_message_id',
    /no preset/,
  ],
  ['an unknown field', { colour: 'red' }, 'colour', /is not a field/],
])('%s is refused', async (_what, body, where, message) => {
  const refused = await create(body)
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, where])
  expect(refused.body.errors[0].message).toMatch(message)
})

test('a preset is accepted only for the stage of its category', async () => {
  const preset = async (category: string) =>
    (await service.admin.post('/admin/presets', { title: 'T', body: 'B', category })).body.id
  const use = async (category: string) =>
    create({ message_policies: { warning: { preset_message_id: await preset(category) } } })
  expect((await use('synthetic_warning')).status).toBe(201)
  const refused = await use('synthetic_critical')
  expect(refused.body.errors).toMatchObject([{ path: 'message_policies.warning.preset_message_id' }])
})

test('a ping beat is refused without a ping program', async () => {
  const ping = { type: 'ping', target: { host: 'example.com' } }
  const { hasProgram } = service.services
  service.services.hasProgram = async () => false
  expect((await create(ping)).body.errors).toMatchObject([{ path: 'type', message: /no ping program/ }])
  service.services.hasProgram = async () => true
  expect((await create(ping)).status).toBe(201)
  service.services.hasProgram = hasProgram
})

test.each([
  ['regions', { regions: ['a'] }, /^contradicts the stored threshold_policies.critical_rule.regions_failing: 2 is/],
  ['type', { type: 'tcp', target: { host: 'a', port: 1 } }, /certificate_days_under: a check of the type tcp sees no/],
  [
    'target',
    { target: { url: 'http://a.example', follow_redirects: false } },
    /certificate_days_under: a check of an http:/,
  ],
])('a change of the %s that makes the threshold rules impossible is refused', async (where, body, message) => {
  const critical_rule = { consecutive_failures: 1, regions_failing: 2, certificate_days_under: 7 }
  const { body: made } = await create({ regions: ['a', 'b'], threshold_policies: { critical_rule } })
  const { status, body: refused } = await service.admin.patch(`${beatsPath}/${made.id}`, body)
  expect([status, refused.errors]).toEqual([400, [{ path: where, message: expect.stringMatching(message) }]])
})

test.each(['beat-actions', 'beat-groups'])('the message for a missing record names its kind: %s', async (what) => {
  const { status, body } = await service.admin.get(`/admin/${what}/2000000000`)
  expect([status, body.error]).toEqual([404, `There is no such ${what.slice(0, -1).replace('-', ' ')} on this page.`])
})

test('a group refuses policies without effect, too', async () => {
  for (const [stage, policy] of [
    ['critical', { incident_status: 'operational' }],
    ['recovery', { reopen_within_minutes: 1 }],
  ] as const) {
    const made = await service.admin.post('/admin/beat-groups', { name: 'G', action_policies: { [stage]: policy } })
    expect(made.body.errors).toMatchObject([{ path: `action_policies.${stage}.${Object.keys(policy)[0]}` }])
  }
})
