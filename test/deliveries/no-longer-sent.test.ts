import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

const HOUR = 3_600_000

let service: TestService
let deliveries: TestDeliveries
let sink: WebhookSink
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2027-03-01T10:00:00Z') })
  deliveries = deliveriesOf(service)
  sink = await openWebhookSink()
})
afterAll(async () => {
  await deliveries?.close()
  await sink?.close()
  await service?.close()
})

beforeEach(async () => {
  const em = service.services.system.em.fork()
  for (const table of ['delivery', 'notification_event', 'subscriber']) await em.execute(`delete from ${table}`)
  sink.received.length = 0
  sink.answer = () => ({ status: 204 })
})

let number = 0
async function webhook() {
  number += 1
  const { body } = await service.admin.post('/admin/subscribers', { channel: 'webhook', url: `${sink.url}/${number}` })
  return body
}

const openIncident = async () => (await service.admin.post('/admin/incidents', { title: 'Payments fail' })).body

test('what waits is not sent after the deletion of its incident', async () => {
  await webhook()
  sink.answer = () => ({ status: 500 })
  const incident = await openIncident()
  await deliveries.settle()
  const { notification } = (await service.admin.get(`/admin/incidents/${incident.id}/notifications`)).body.events[0]
  service.woken.length = 0
  await service.admin.del(`/admin/incidents/${incident.id}`)
  // The process of the notification does not wait for an attempt that will not be.
  expect(service.woken).toContainEqual({ kind: 'notification', id: notification.id, pageId: service.page.id })
  await deliveries.settle()
  expect((await service.admin.get(`/admin/notifications/${notification.id}`)).body.state).toBe('done')
  service.now = new Date(service.now.getTime() + 5000)
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  const { body } = await service.admin.get('/admin/deliveries')
  expect(body.deliveries[0]).toMatchObject({ state: 'suppressed', reason: 'subject_deleted' })
})

test('a message that a receiver has got keeps its outcome when its incident is deleted meanwhile', async () => {
  await webhook()
  const incident = await openIncident()
  sink.answer = async () => {
    await service.admin.del(`/admin/incidents/${incident.id}`)
    return { status: 204 }
  }
  await deliveries.settle()
  const { body } = await service.admin.get('/admin/deliveries')
  expect(body.deliveries).toMatchObject([{ state: 'sent', attempts: [{ status_code: 204 }] }])
})

test.each([['at once'], ['daily']])(
  'what is planned %s after the deletion of its incident is not sent',
  async (when) => {
    await webhook()
    const incident = await openIncident()
    await service.admin.del(`/admin/incidents/${incident.id}`)
    const em = service.services.system.em.fork()
    // As a step does that has read the incident before the deletion.
    const content = { scope: [], items: [], record: {}, page: {}, statuses: {}, translations: {}, sequence: 1 }
    await em.execute(`update notification_event set state = 'sending', expanded_to = null, content = ?`, [content])
    await em.execute(
      `insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest,
       next_attempt_at, created_at, updated_at)
     select e.page_id, e.id, s.id, s.channel, s.address, 'queued', '[]', ?, ?, ?, ? from notification_event e, subscriber s`,
      [when === 'daily', service.now, service.now, service.now],
    )
    await deliveries.settle()
    expect(sink.received).toEqual([])
    const { body } = await service.admin.get('/admin/deliveries')
    expect(body.deliveries).toMatchObject([{ state: 'suppressed', reason: 'subject_deleted' }])
  },
)

const noLongerAsking = { subscriptions: [{ scope: { kind: 'page' }, event_kinds: ['maintenance.scheduled'] }] }

test.each<[string, string, (incident: number, subscriber: number) => Promise<unknown>]>([
  [
    'whose incident was deleted',
    'what it is about was deleted',
    (incident) => service.admin.del(`/admin/incidents/${incident}`),
  ],
  [
    'whose subscriber was deleted',
    'its subscriber was deleted',
    (_incident, id) => service.admin.del(`/admin/subscribers/${id}`),
  ],
  [
    'whose subscriber no longer asks for it',
    'no subscription of its subscriber asks for the notification any more',
    (_incident, id) => service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, noLongerAsking),
  ],
])('a delivery %s is not retried and keeps its outcome', async (_what, because, change) => {
  const { id } = await webhook()
  sink.answer = () => ({ status: 410 })
  const incident = await openIncident()
  await deliveries.settle()
  const { body: listed } = await service.admin.get('/admin/deliveries')
  const [refused] = listed.deliveries
  // Enabled again, so that nothing else refuses the retry.
  await service.admin.post(`/admin/subscribers/${id}/enable`)
  await change(incident.id, id)
  const address = `/admin/deliveries/${refused.id}`
  const { status, body } = await service.admin.post(`${address}/retry`)
  expect([status, body.error]).toEqual([409, `The delivery ${refused.id} cannot be sent, because ${because}.`])
  expect((await service.admin.get(address)).body).toMatchObject({ state: 'failed', reason: 'refused' })
})

test('what was not sent has one entry for each reason', async () => {
  await webhook()
  const { body: other } = await service.admin.post('/admin/subscribers', {
    ...{ channel: 'webhook', url: `${sink.url}/other`, ...noLongerAsking },
  })
  const incident = await openIncident()
  const em = service.services.system.em.fork()
  await deliveries.settle()
  // As a delivery whose subscriber has changed the preferences between the plan and the attempt.
  await em.execute(`update delivery set state = 'suppressed', reason = 'out_of_scope' where notification_id in
    (select id from notification_event where subject_kind = 'incident')`)
  const { body } = await service.admin.get(`/admin/incidents/${incident.id}/notifications`)
  expect(body.events[0].not_sent).toEqual([{ reason: 'out_of_scope', count: 2 }])
  await service.admin.del(`/admin/subscribers/${other.id}`)
})

test('what readers learn more than a day late is not sent', async () => {
  await webhook()
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Database' })
  const start = new Date(service.now.getTime() + HOUR)
  const { body: maintenance } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', auto_transition_enabled: true, notify: false, affected_items: [{ id: item.id }] },
    ...{ scheduled_start_time: start, scheduled_end_time: new Date(start.getTime() + HOUR) },
  })
  // As after a restore of an old copy: the window began and ended long ago.
  service.now = new Date(service.now.getTime() + 7 * 24 * HOUR)
  const process = { kind: 'maintenance' as const, id: maintenance.id, pageId: service.page.id, now: service.now }
  await takeStep(service.services, steps.maintenance, process)
  await deliveries.settle()
  const { body } = await service.admin.get(`/admin/maintenances/${maintenance.id}/notifications`)
  const reasons = body.events.map(
    ({ notification, not_sent }: { notification: { key: string }; not_sent: object[] }) => [
      notification.key,
      ...not_sent,
    ],
  )
  expect(reasons).toEqual([
    ['maintenance.completed', { reason: 'too_old', count: 1 }],
    ['maintenance.started', { reason: 'too_old', count: 1 }],
    ['maintenance.scheduled', { reason: 'notify_false', count: 0 }],
  ])
  expect(sink.received).toEqual([])
})
