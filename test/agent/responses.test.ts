import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { replyTo } from '../../src/domain/agent/answer-query.ts'
import type { IntentName, RecordKind, Slots } from '../../src/domain/agent/language/types.ts'
import { openReader } from '../../src/domain/agent/reader.ts'
import type { PlanReply, TextReply } from '../../src/domain/agent/response-types.ts'
import type { Actor } from '../../src/domain/kernel/context.ts'
import { insertAction } from '../support/acting.ts'
import { openAgentService } from '../support/agent.ts'
import { makeEndpoint, makeEventBeat, makeTrigger, send } from '../support/ingest.ts'
import type { TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
const ids: Record<string, number> = {}
const NOW = new Date('2027-03-10T14:30:00Z')
const PAST = '2027-03-09T10:00:00.000Z'

const create = async (path: string, body: object): Promise<number> => {
  const answer = await service.admin.post(`/admin/${path}`, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}

beforeAll(async () => {
  service = await openAgentService({ frozenAt: NOW })
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'Europe/Berlin' })
  ids.checkout = await create('hierarchy/items', { name: 'Checkout', start_date: '2027-01-01T00:00:00Z' })
  ids.search = await create('hierarchy/items', { name: 'Search' })
  ids.slow = await create('incidents', { title: 'Checkout is *slow*', affected_items: [{ id: ids.checkout }] })
  ids.past = await create('incidents', { title: 'Login errors' })
  await service.admin.post(`/admin/incidents/${ids.past}/resolve`, { resolution_message: 'A bad release' })
  ids.upgrade = await create('maintenances', {
    ...{ title: 'Database upgrade', affected_items: [{ id: ids.search }] },
    ...{ scheduled_start_time: '2027-03-12T21:00:00Z', scheduled_end_time: '2027-03-12T23:00:00Z' },
  })
  ids.backup = await create('maintenance-series', {
    ...{ title: 'Weekly backup', affected_items: [{ id: ids.search }], recurrence_type: 'weekly', weekday: 2 },
    ...{ timezone: 'Europe/Berlin', start_time: '02:30', start_date: '2027-03-16', duration_minutes: 60 },
  })
  ids.beat = await makeEventBeat(service, { name: 'Checkout health' })
  const endpoint = await makeEndpoint(service, { name: 'Alertmanager' })
  ids.endpoint = endpoint.id
  await makeTrigger(service, endpoint.id, [ids.beat])
  await send(service, endpoint.token, { state: 'firing', alert: 'cpu', text: 'p99 is 4 s' })
  await until(
    () => service.admin.get(`/admin/beats/${ids.beat}`),
    ({ body }) => body.current_stage === 'critical',
  )
  await insertAction(service, service.page)
})
afterAll(() => service.close())

const admin: Actor = { kind: 'system', name: 'Test', permission: 'admin', role_key: 'page_admin' }

const reply = (intent: IntentName, slots: Slots = {}, actor = admin) => {
  const { services, page } = service
  const reader = openReader(services, { page, actor, requestId: 'test', now: NOW, zone: 'Europe/Berlin' })
  return replyTo(reader, intent, slots)
}

const slot = (kind: RecordKind, name: string, label: string) => ({ kind, id: ids[name]!, name: label })
const upgrade = () => slot('maintenance', 'upgrade', 'Database upgrade')
const checkout = () => slot('item', 'checkout', 'Checkout')

describe('the answer to a question has what the page says', () => {
  test.each<[IntentName, () => Slots, RegExp[]]>([
    ['status', () => ({}), [/1 open incident/, /Checkout has the status degraded/]],
    ['item_status', () => ({ item: checkout() }), [/Checkout has the status degraded/, /Checkout is \\\*slow\\\*/]],
    ['incidents_open', () => ({}), [/^1 open incident\./, /affects Checkout/]],
    ['incidents_open', () => ({ item: slot('item', 'search', 'Search') }), [/There is no open incident on Search/]],
    [
      'incident_detail',
      () => ({ incident: slot('incident', 'slow', 'x') }),
      [/is open with the status/, /Not acknowledged/],
    ],
    ['incidents_past', () => ({}), [/2 incidents since/, /Login errors/]],
    ['incidents_past', () => ({ from: '2027-03-11T00:00:00.000Z' }), [/No incident since Thu 11 Mar 2027, 01:00/]],
    [
      'incidents_past',
      () => ({ from: '2027-03-10T00:00:00.000Z', topic: 'end' }),
      [/^1 incident was resolved since Wed 10 Mar 2027, 01:00/, /Login errors/],
    ],
    [
      'incidents_past',
      () => ({ from: '2027-03-08T00:00:00.000Z', to: '2027-03-09T00:00:00.000Z', topic: 'end' }),
      [/^No incident was resolved since Mon 8 Mar 2027, 01:00 CET until Tue 9 Mar/],
    ],
    [
      'maintenance_upcoming',
      () => ({ from: '2027-03-08T00:00:00.000Z', to: '2027-03-09T00:00:00.000Z' }),
      [/^There was no maintenance from Mon 8 Mar 2027, 01:00 CET until Tue 9 Mar/],
    ],
    [
      'maintenance_upcoming',
      () => ({ from: '2027-03-12T00:00:00.000Z', to: '2027-03-13T00:00:00.000Z' }),
      [/^1 maintenance window from Fri 12 Mar 2027, 01:00 CET until Sat 13 Mar/, /Database upgrade/],
    ],
    ['maintenance_upcoming', () => ({}), [/Database upgrade/, /Fri 12 Mar 2027, 22:00/, /Weekly backup/]],
    ['maintenance_detail', () => ({ maintenance: slot('maintenance', 'upgrade', 'x') }), [/is scheduled/, /by hand/]],
    ['changes', () => ({}), [/A bad release/, /was planned/, /unknown to critical/]],
    ['uptime', () => ({ item: checkout(), days: 30 }), [/last 30 days/, /Checkout” \(\d+\): [\d.]+ %/]],
    ['beats', () => ({}), [/1 beat, 1 not healthy/, /Checkout health/]],
    ['beats', () => ({ beat: slot('beat', 'beat', 'Checkout health') }), [/Checkout health is critical/]],
    [
      'beat_why',
      () => ({ beat: slot('beat', 'beat', 'Checkout health') }),
      [/became critical/, /p99 is 4 s/, /by the event/],
    ],
    ['beat_why', () => ({}), [/Checkout health became critical/]],
    ['reviews', () => ({}), [/1 review waits/, /Review \d+: /]],
    ['ingest_events', () => ({}), [/1 event/, /Alerts to stages: transition/]],
    ['explain', () => ({ incident: slot('incident', 'slow', 'x'), topic: 'reminder' }), [/no reminder interval/]],
    ['explain', () => ({ maintenance: slot('maintenance', 'upgrade', 'x') }), [/waits for/]],
    ['explain', () => ({ at: '2027-03-10T14:30:00.000Z' }), [/the processes did this/, /incident:\d+: woken by/]],
    ['explain', () => ({ at: '2027-03-10T10:00:00.000Z' }), [/No process did anything around Wed 10 Mar 2027, 11:00/]],
    ['plans', () => ({}), [/A message neither confirms nor cancels a plan/, /the tool apply/]],
    ['help', () => ({}), [/becomes a plan/]],
  ])('%s', async (intent, slots, patterns) => {
    const answer = (await reply(intent, slots())) as TextReply
    expect(answer.outcome).toBe('answered')
    for (const pattern of patterns) expect(answer.markdown).toMatch(pattern)
  })

  test('a record that several names match, or none, is asked for', async () => {
    const both = { kind: 'item', text: 'c', candidates: [checkout(), slot('item', 'search', 'Search')] } as const
    expect(await reply('item_status', { item: { ...both, candidates: [...both.candidates] } })).toMatchObject({
      outcome: 'not_understood',
      markdown: expect.stringMatching(/“c” can be 2 items\. Which item do you mean\?\n• “Checkout”/),
    })
    const series = { kind: 'series', text: 'backup', candidates: [slot('series', 'backup', 'A'), upgrade()] } as const
    expect(await reply('explain', { series: { ...series, candidates: [...series.candidates] } })).toMatchObject({
      summary: '“backup” can be 2 series.',
    })
    const none = { kind: 'beat', text: 'nonsense', candidates: [] } as const
    expect(await reply('beats', { beat: { ...none, candidates: [] } })).toMatchObject({
      summary: 'This page has no beat “nonsense”.',
    })
  })

  test('a read that the token may not do is named', async () => {
    const viewer: Actor = { kind: 'system', name: 'Test', permission: 'read', role_key: 'none' }
    expect(await reply('incidents_open', {}, viewer)).toMatchObject({
      outcome: 'not_permitted',
      markdown: expect.stringContaining('area incidents'),
    })
  })
})

describe('a request becomes steps with their effects, or questions', () => {
  test.each<[IntentName, () => Slots, { operation: string; input: object; effect: RegExp }]>([
    [
      'incident_open',
      () => ({ title: 'Down', status: 'major_outage', items: [checkout()] }),
      {
        operation: 'incidents.create',
        input: { title: 'Down', status: 'major_outage', affected_items: [{ id: expect.any(Number) }] },
        effect: /^Opens the incident “Down” with the status major outage, affecting “Checkout” \(\d+\)\.$/,
      },
    ],
    [
      'incident_update',
      () => ({ message: 'Found it', status: 'degraded' }),
      {
        operation: 'incidents.updates.create',
        input: { id: expect.any(Number), message: 'Found it', status: 'degraded' },
        effect: /with the status degraded, with the message “Found it”/,
      },
    ],
    [
      'incident_update',
      () => ({ message: 'Fixed', stage: 'Monitoring' }),
      {
        operation: 'incidents.updates.create',
        input: { message: 'Fixed', lifecycle_stage_name: 'Monitoring' },
        effect: /in the stage Monitoring/,
      },
    ],
    [
      'incident_resolve',
      () => ({}),
      { operation: 'incidents.resolve', input: { id: expect.any(Number) }, effect: /slow/ },
    ],
    [
      'incident_reopen',
      () => ({ incident: slot('incident', 'past', 'Login errors') }),
      { operation: 'incidents.reopen', input: { id: expect.any(Number) }, effect: /Reopens/ },
    ],
    ['incident_acknowledge', () => ({}), { operation: 'incidents.acknowledge', input: {}, effect: /Acknowledges/ }],
    [
      'maintenance_schedule',
      () => ({ title: 'Move', items: [checkout()], start: '2027-03-11T21:00:00.000Z', minutes: 120 }),
      {
        operation: 'maintenances.create',
        input: { scheduled_end_time: '2027-03-11T23:00:00.000Z', auto_transition_enabled: true },
        effect: /from Thu 11 Mar 2027, 22:00 .* until Fri 12 Mar 2027, 00:00 .* \(2 hours\)/,
      },
    ],
    [
      'maintenance_reschedule',
      () => ({ maintenance: slot('maintenance', 'upgrade', 'Database upgrade'), start: '2027-03-13T21:00:00.000Z' }),
      {
        operation: 'maintenances.update',
        input: { title: 'Database upgrade', scheduled_end_time: '2027-03-13T23:00:00.000Z' },
        effect: /to Sat 13 Mar 2027, 22:00/,
      },
    ],
    [
      'maintenance_reschedule',
      () => ({ maintenance: slot('maintenance', 'upgrade', 'Database upgrade'), shift: 120 }),
      {
        operation: 'maintenances.update',
        input: { scheduled_start_time: '2027-03-12T23:00:00.000Z', scheduled_end_time: '2027-03-13T01:00:00.000Z' },
        effect: /to Sat 13 Mar 2027, 00:00 .* until Sat 13 Mar 2027, 02:00/,
      },
    ],
    [
      'maintenance_reschedule',
      () => ({ maintenance: slot('maintenance', 'upgrade', 'Database upgrade'), longer: 60 }),
      {
        operation: 'maintenances.update',
        input: { scheduled_end_time: '2027-03-13T00:00:00.000Z' },
        effect: /to Fri 12 Mar 2027, 22:00 .* until Sat 13 Mar 2027, 01:00/,
      },
    ],
    ...(['start', 'complete', 'cancel'] as const).map(
      (move): [IntentName, () => Slots, { operation: string; input: object; effect: RegExp }] => [
        `maintenance_${move}`,
        () => ({ maintenance: slot('maintenance', 'upgrade', 'Database upgrade') }),
        { operation: `maintenances.${move}`, input: { id: expect.any(Number) }, effect: /“Database upgrade”/ },
      ],
    ),
    [
      'occurrence_skip',
      () => ({}),
      { operation: 'series.occurrences.skip', input: { index: 1 }, effect: /16 Mar 2027/ },
    ],
    [
      'occurrence_skip',
      () => ({ date: '2027-03-23' }),
      { operation: 'series.occurrences.skip', input: { index: 2 }, effect: /23 Mar/ },
    ],
    ...(['pause', 'resume', 'run'] as const).map(
      (verb): [IntentName, () => Slots, { operation: string; input: object; effect: RegExp }] => [
        `beat_${verb}`,
        () => ({ beat: slot('beat', 'beat', 'Checkout health') }),
        { operation: `beats.${verb}`, input: { id: expect.any(Number) }, effect: /Checkout health/ },
      ],
    ),
    [
      'beat_mute',
      () => ({ beat: slot('beat', 'beat', 'Checkout health'), minutes: 90 }),
      { operation: 'beats.mute', input: { minutes: 90 }, effect: /for 1 hour 30 minutes/ },
    ],
    ['action_approve', () => ({}), { operation: 'beat_actions.approve', input: {}, effect: /Approves/ }],
    [
      'action_reject',
      () => ({ message: 'A test' }),
      { operation: 'beat_actions.reject', input: { decision_note: 'A test' }, effect: /Rejects/ },
    ],
    [
      'item_status_set',
      () => ({ item: checkout(), status: 'major_outage', reason: 'Fire', minutes: 60 }),
      {
        operation: 'items.status.put',
        input: { status: 'major_outage', reason: 'Fire', until: '2027-03-10T15:30:00.000Z' },
        effect: /to major outage until Wed 10 Mar 2027, 16:30/,
      },
    ],
    [
      'item_status_clear',
      () => ({ item: checkout() }),
      { operation: 'items.status.delete', input: {}, effect: /Checkout/ },
    ],
  ])('%s', async (intent, slots, { operation, input, effect }) => {
    const plan = (await reply(intent, slots())) as PlanReply
    expect(plan).toMatchObject({ outcome: 'plan', questions: [] })
    expect(plan.steps.map((step) => [step.operation.name, step.input])).toEqual([
      [operation, expect.objectContaining(input)],
    ])
    expect(plan.steps[0]!.effect).toMatch(effect)
  })

  test.each<[IntentName, () => Slots, string[]]>([
    ['incident_open', () => ({}), ['title']],
    ['incident_update', () => ({}), ['message']],
    ['maintenance_schedule', () => ({}), ['items', 'title', 'start', 'minutes']],
    ['maintenance_reschedule', () => ({ maintenance: slot('maintenance', 'upgrade', 'x') }), ['start']],
    ['maintenance_cancel', () => ({}), ['maintenance']],
    ['occurrence_skip', () => ({ date: '2027-03-17' }), ['date']],
    ['beat_mute', () => ({}), ['beat', 'minutes']],
    ['item_status_set', () => ({}), ['item', 'status', 'reason']],
    ['item_status_set', () => ({ item: checkout(), status: 'degraded', reason: 'X', until: PAST }), ['until']],
    ['beat_mute', () => ({ beat: slot('beat', 'beat', 'Checkout health'), until: PAST }), ['until']],
    ['maintenance_schedule', () => ({ title: 'Move', items: [checkout()], start: PAST, minutes: 60 }), ['start']],
    ['maintenance_reschedule', () => ({ maintenance: upgrade(), start: PAST, minutes: 60 }), ['start']],
  ])('%s asks for what is missing', async (intent, slots, keys) => {
    const plan = (await reply(intent, slots())) as PlanReply
    expect(plan.outcome).toBe('plan')
    expect(plan.questions.map(({ key }) => key)).toEqual(keys)
    expect(plan.steps).toEqual([])
  })
})
