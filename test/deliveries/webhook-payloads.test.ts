import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { webhookEvents } from '../../src/domain/notifications/channels/webhook/schema.ts'
import { eventKeys, isTransactional } from '../../src/domain/notifications/keys.ts'
import { claimEvent } from '../../src/persistence/notifications.ts'
import { makeBeat } from '../support/beats.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { makeItem } from '../support/maintenances.ts'
import { createWeekly } from '../support/series.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

let service: TestService
let deliveries: TestDeliveries
let sink: WebhookSink
const byKey = () => Map.groupBy(sink.received, ({ body }) => body.type as string)

beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2027-03-01T10:00:00Z') })
  deliveries = deliveriesOf(service)
  sink = await openWebhookSink()
  await writeEveryEvent()
  await deliveries.settle()
})
afterAll(async () => {
  await deliveries?.close()
  await sink?.close()
  await service?.close()
})

async function post(path: string, body: object = {}) {
  const answer = await service.admin.post(`/admin${path}`, body)
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** The events that steps and checks write. */
async function insert(key: string, kind: string, id: number, data: object, late = {}): Promise<void> {
  const { services, page, now } = service
  const facts = { page_id: page.id, key, natural_key: `${kind}:${id}:${key}:${JSON.stringify(data)}`, withheld: null }
  const about = { subject_kind: kind, subject_id: id, due_at: now, created_at: now, late: false, missed: 0, ...late }
  await claimEvent(services.system.em.fork(), { ...facts, ...about, data: data as Record<string, unknown> }, now)
}

async function writeEveryEvent(): Promise<void> {
  const kinds = eventKeys.filter((key) => !isTransactional(key))
  const subscriptions = [{ event_kinds: kinds, internal: true }]
  const subscriber = await post('/subscribers', { channel: 'webhook', url: sink.url, subscriptions })
  await post(`/subscribers/${subscriber.id}/test`)
  const shop = await makeItem(service, 'Shop')
  const item = await makeItem(service, 'Checkout', { parent_id: shop })
  const affected_items = [{ id: item }]
  await writeIncidentEvents(affected_items)
  await writeMaintenanceEvents(affected_items)
  const series = await createWeekly(service, item)
  const next_starts = ['2027-03-02T01:30:00.000Z', '2027-03-09T01:30:00.000Z', '2027-03-16T01:30:00.000Z']
  await insert('series.rescheduled', 'series', series.id, { moved: 3, made: 1, cancelled: 0, next_starts, coming: 13 })
  await service.admin.request('PUT', `/admin/hierarchy/items/${item}/status`, { status: 'degraded', reason: 'A test' })
  const beat = await makeBeat(service)
  const group = await post('/beat-groups', { name: 'Checkout' })
  const stages = { from_stage: 'healthy', to_stage: 'critical', evidence: 'HTTP 503 three times in a row' }
  await insert('beat.stage_changed', 'beat', beat.id, stages)
  await insert('beat.stage_changed', 'beat_group', group.id, stages)
  const action = { beat_action_id: 4, stage: 'critical', kind: 'open', title: 'Checkout is down' }
  await insert('beat.review_requested', 'beat', beat.id, action)
}

async function writeIncidentEvents(affected_items: object[]): Promise<void> {
  const fields = { description: 'Card payments are declined.', impact: 'Some customers cannot pay' }
  const { id } = await post('/incidents', { title: 'Payments fail', affected_items, ...fields })
  await post(`/incidents/${id}/updates`, { message: 'We found the cause.' })
  await service.admin.patch(`/admin/incidents/${id}`, { title: 'Some payments fail' })
  const reminder = { status: 'degraded', reminder_interval_minutes: 30 }
  await insert('incident.reminder', 'incident', id, reminder, { late: true, missed: 2 })
  await insert('incident.long_running', 'incident', id, { status: 'degraded', hours: 4 })
  await post(`/incidents/${id}/updates`, { message: 'Payments work again.', status: 'resolved' })
}

async function writeMaintenanceEvents(affected_items: object[]): Promise<void> {
  const hours = (count: number) => new Date(service.now.getTime() + count * 3_600_000).toISOString()
  const window = { scheduled_start_time: hours(24), scheduled_end_time: hours(26) }
  const { id } = await post('/maintenances', { title: 'Database upgrade', affected_items, ...window })
  await post(`/maintenances/${id}/updates`, { message: 'We begin with the replica.' })
  const status = 'scheduled'
  await insert('maintenance.reminder', 'maintenance', id, { reminder: 'before_start', minutes: 60, status })
  await insert('maintenance.reminder', 'maintenance', id, { reminder: 'before_end', minutes: 15, status })
  await insert('maintenance.started', 'maintenance', id, {})
  await insert('maintenance.overrun', 'maintenance', id, { reminder: 'overrun', minutes: 30, status })
  await insert('maintenance.completed', 'maintenance', id, {})
  await insert('maintenance.cancelled', 'maintenance', id, {})
}

const keys = webhookEvents.flatMap((event) => event.keys)

test('every event but those of mails alone has a schema, each key once', () => {
  const mails = ['subscription.confirm', 'subscription.manage', 'view.access_code']
  expect(keys.toSorted()).toEqual(eventKeys.filter((key) => !mails.includes(key)).toSorted())
})

test.each(webhookEvents.flatMap(({ keys: some, body }) => some.map((key) => [key, body] as const)))(
  'the body of %s has its schema',
  (key, schema) => {
    const received = byKey().get(key) ?? []
    expect(received.length).toBeGreaterThan(0)
    for (const { body, text } of received) {
      expect(schema.safeParse(body).error?.issues).toBeUndefined()
      expect(Buffer.byteLength(text)).toBeLessThan(20_000)
    }
  },
)

const dataOf = (key: string) =>
  byKey()
    .get(key)!
    .map(({ body }) => body.data)

test('the bodies of public events contain what readers see, and of internal events what admins see', () => {
  const [created] = dataOf('incident.created')
  expect(created.incident).not.toHaveProperty('translations')
  expect(created.items).toEqual([expect.objectContaining({ name: 'Checkout' })])
  const [late] = dataOf('incident.reminder')
  expect(late).toMatchObject({ late: true, missed: 2, incident: { translations: [] } })
  const [before, end] = dataOf('maintenance.reminder')
  expect([before.details.reminder, before.maintenance.translations]).toEqual(['before_start', undefined])
  expect([end.details.reminder, end.maintenance.translations]).toEqual(['before_end', []])
})

test('an update is the entry that the event is about', () => {
  const [updated] = dataOf('incident.updated')
  expect(updated.update).toMatchObject({ message: 'We found the cause.' })
  expect(updated.incident.updates).toContainEqual(updated.update)
})

test('the sequence of a record rises', () => {
  const ofIncident = sink.received.filter(({ body }) => body.data.incident)
  const sequences = ofIncident.map(({ body }) => [body.data.event_id, body.data.sequence])
  const sorted = sequences.toSorted(([a], [b]) => a - b).map(([, sequence]) => sequence)
  expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
  expect(new Set(sorted).size).toBe(sorted.length)
})
