import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

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

const minutes = (count: number) => count * 60_000
const pass = (ms: number) => {
  service.now = new Date(service.now.getTime() + ms)
}

beforeEach(async () => {
  await service.services.system.em.fork().execute('delete from delivery')
  await service.services.system.em.fork().execute('delete from notification_event')
  await service.services.system.em.fork().execute('delete from subscriber')
  sink.received.length = 0
  sink.answer = () => ({ status: 204 })
})

let number = 0
async function webhook(subscriptions?: object[]) {
  number += 1
  const body = { channel: 'webhook', url: `${sink.url}/${number}`, subscriptions }
  const { body: subscriber } = await service.admin.post('/admin/subscribers', body)
  return subscriber
}

const openIncident = async (fields = {}) =>
  (await service.admin.post('/admin/incidents', { title: 'Payments fail', ...fields })).body
const notificationsOf = async (id: number) =>
  (await service.admin.get(`/admin/incidents/${id}/notifications`)).body.events

test('an incident is sent to each webhook once, and the incident says so', async () => {
  const one = await webhook()
  await webhook()
  const incident = await openIncident()
  await deliveries.settle()
  await deliveries.settle()
  expect(sink.received).toHaveLength(2)
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  const [event] = await notificationsOf(incident.id)
  expect(event).toMatchObject({ sent: 2, pending: 0, failed: 0, not_sent: [], notification: { state: 'done' } })
  expect(event.deliveries[0]).toMatchObject({ subscriber_id: one.id, state: 'sent', channel: 'webhook' })
  expect(event.deliveries[0].attempts).toEqual([expect.objectContaining({ status_code: 204 })])
})

test('the lists of deliveries begin with the newest, on each page', async () => {
  for (let count = 0; count < 3; count += 1) await webhook()
  await openIncident()
  await openIncident()
  await deliveries.settle()
  const idsIn = async (list: string) => {
    const { body: first } = await service.admin.get(`${list}?limit=2`)
    const { body: rest } = await service.admin.get(`${list}?limit=100&cursor=${first.next_cursor}`)
    return [...first.deliveries, ...rest.deliveries].map(({ id }: { id: number }) => id)
  }
  const { body } = await service.admin.get('/admin/notifications?limit=1')
  const all = await idsIn('/admin/deliveries')
  expect(all).toEqual([...new Set(all)].sort((a, b) => b - a))
  expect(all).toHaveLength(6)
  expect(await idsIn(`/admin/notifications/${body.notifications[0].id}/deliveries`)).toEqual(all.slice(0, 3))
})

test('a notification without subscribers has no process and says that it has no recipient', async () => {
  const incident = await openIncident()
  const [event] = await notificationsOf(incident.id)
  expect(event.notification.state).toBe('no_recipient')
  expect(event.not_sent).toEqual([{ reason: 'no_recipient', count: 0 }])
})

test('`notify: false` is recorded as the reason, and stays out of the list of notifications', async () => {
  await webhook()
  const incident = await openIncident({ notify: false })
  await deliveries.settle()
  expect(sink.received).toEqual([])
  const [event] = await notificationsOf(incident.id)
  expect(event.not_sent).toEqual([{ reason: 'notify_false', count: 0 }])
  const about = `/admin/notifications?subject=incident:${incident.id}`
  expect((await service.admin.get(about)).body.notifications).toEqual([])
  expect((await service.admin.get(`${about}&withheld=true`)).body.notifications).toHaveLength(1)
})

test('a receiver that fails is tried again under the same id, with its attempts', async () => {
  await webhook()
  sink.answer = () => ({ status: 500, body: 'out of order' })
  const incident = await openIncident()
  await deliveries.settle()
  const [{ notification, deliveries: before, pending }] = await notificationsOf(incident.id)
  expect([notification.state, pending, before[0].state]).toEqual(['sending', 1, 'retrying'])
  expect(before[0].next_attempt_at).toBe(new Date(service.now.getTime() + 5000).toISOString())
  sink.answer = () => ({ status: 204 })
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  pass(5000)
  await deliveries.settle()
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const [after] = await notificationsOf(incident.id)
  expect(after).toMatchObject({ sent: 1, pending: 0, notification: { state: 'done' } })
  expect(after.deliveries[0].attempts.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([
    500, 204,
  ])
})

test('a dead delivery is sent again by hand under the same id, any other is a 409', async () => {
  await webhook()
  sink.answer = () => ({ status: 500 })
  const incident = await openIncident()
  for (let round = 0; round < 12; round += 1) {
    await deliveries.settle()
    pass(minutes(24 * 60))
  }
  const [dead] = await notificationsOf(incident.id)
  expect(dead).toMatchObject({ failed: 1, pending: 0, notification: { state: 'done' } })
  expect(dead.deliveries[0]).toMatchObject({ state: 'dead', reason: 'gave_up' })
  sink.answer = () => ({ status: 204 })
  const retry = `/admin/deliveries/${dead.deliveries[0].id}/retry`
  expect((await service.admin.post(retry)).status).toBe(200)
  await deliveries.settle()
  expect((await service.admin.post(retry)).status).toBe(409)
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect((await notificationsOf(incident.id))[0]).toMatchObject({ sent: 1, failed: 0 })
})

test.each([
  ['disabled', 'enable'],
  ['suppressed', 'restore'],
])('a delivery to a subscriber that is %s is retried once the subscriber is active again', async (state, first) => {
  const { id } = await webhook()
  sink.answer = () => ({ status: 410 })
  const incident = await openIncident()
  await deliveries.settle()
  if (state === 'suppressed') await service.admin.post(`/admin/subscribers/${id}/suppress`)
  const [refused] = await notificationsOf(incident.id)
  const retry = `/admin/deliveries/${refused.deliveries[0].id}/retry`
  const { status, body } = await service.admin.post(retry)
  expect([status, body.error]).toEqual([409, expect.stringContaining(`is ${state}`)])
  expect(body.error.toLowerCase()).toContain(`${first} the subscriber first`)
  await service.admin.post(`/admin/subscribers/${id}/restore`)
  await service.admin.post(`/admin/subscribers/${id}/enable`)
  sink.answer = () => ({ status: 204 })
  expect((await service.admin.post(retry)).status).toBe(200)
  await deliveries.settle()
  expect((await notificationsOf(incident.id))[0]).toMatchObject({ sent: 1, failed: 0 })
})

test.each([
  ['suppressed', (id: number) => service.admin.post(`/admin/subscribers/${id}/suppress`), 'subscriber_suppressed'],
  ['deleted', (id: number) => service.admin.del(`/admin/subscribers/${id}`), 'subscriber_deleted'],
  [
    'no longer interested',
    (id: number) =>
      service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, {
        subscriptions: [{ event_kinds: ['maintenance.started'] }],
      }),
    'out_of_scope',
  ],
])('a subscriber that is %s before the next attempt gets nothing', async (_name, change, reason) => {
  const { id } = await webhook()
  sink.answer = () => ({ status: 500 })
  const incident = await openIncident()
  await deliveries.settle()
  expect((await change(id)).status).toBe(200)
  pass(5000)
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  const [event] = await notificationsOf(incident.id)
  expect(event.not_sent).toEqual([{ reason, count: 1 }])
  expect(event.notification.state).toBe('done')
})

test('what was never tried within a day is not sent', async () => {
  await webhook()
  const incident = await openIncident()
  pass(minutes(24 * 60 + 1))
  // The deliveries are planned late, as after a restore: their age counts from the event.
  await deliveries.settle()
  expect(sink.received).toEqual([])
  expect((await notificationsOf(incident.id))[0].not_sent).toEqual([{ reason: 'too_old', count: 1 }])
})

test('a scope has its items with all below them', async () => {
  const { body: product } = await service.admin.post('/admin/hierarchy/items', { name: `Product ${number}`, depth: 1 })
  const child = { name: `Service ${number}`, depth: 2, parent_id: product.id }
  const { body: below } = await service.admin.post('/admin/hierarchy/items', child)
  const { body: other } = await service.admin.post('/admin/hierarchy/items', { name: `Other ${number}`, depth: 1 })
  const { id } = await webhook([{ scope: { kind: 'items', items: [{ id: product.id }] } }])
  await openIncident({ affected_items: [{ id: below.id }] })
  await openIncident({ affected_items: [{ id: other.id }] })
  await openIncident()
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  const { body } = await service.admin.get(`/admin/deliveries?subscriber_id=${id}`)
  expect(body.deliveries).toHaveLength(1)
})

test('several subscriptions that ask for an event are one delivery', async () => {
  await webhook([{}, { event_kinds: ['incident.created'] }])
  await openIncident()
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
})

test('an internal event is unread in the page until it is read, and goes to internal subscriptions only', async () => {
  await webhook()
  await webhook([{ event_kinds: ['incident.long_running'], internal: true }])
  await service.admin.patch('/admin/settings', { notify_on_long_running_incidents: true })
  const incident = await openIncident()
  await deliveries.settle()
  sink.received.length = 0
  pass(minutes(24 * 60))
  const { takeStep } = await import('../../src/domain/kernel/step.ts')
  const { steps } = await import('../../src/domain/steps.ts')
  const process = { kind: 'incident' as const, id: incident.id, pageId: service.page.id }
  await takeStep(service.services, steps.incident, { ...process, now: service.now })
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  const unread = '/admin/notifications?channel=in_app&unread=true'
  const [event] = (await service.admin.get(unread)).body.notifications
  expect(event).toMatchObject({ key: 'incident.long_running', read_at: null })
  expect((await service.admin.post(`/admin/notifications/${event.id}/read`)).status).toBe(200)
  expect((await service.admin.get(unread)).body.notifications).toEqual([])
  await service.admin.patch('/admin/settings', { notify_on_long_running_incidents: false })
})

test('the preview counts by channel who would be notified', async () => {
  await webhook()
  await webhook([{ event_kinds: ['incident.resolved'] }])
  const incident = await openIncident({ notify: false })
  const { body } = await service.admin.get(`/admin/incidents/${incident.id}/notification-preview`)
  expect(body).toEqual({ key: 'incident.updated', recipients: { email: 0, webhook: 1 }, total: 1 })
  const resolved = `/admin/incidents/${incident.id}/notification-preview?key=incident.resolved`
  expect((await service.admin.get(resolved)).body.total).toBe(2)
})

test('who is left out is counted with the reason', async () => {
  await webhook()
  const { id: suppressed } = await webhook()
  await service.admin.post(`/admin/subscribers/${suppressed}/suppress`)
  await webhook([{ event_kinds: ['maintenance.started'] }])
  await service.admin.post('/admin/subscribers', { channel: 'email', email: 'pending@example.com' })
  const incident = await openIncident()
  await deliveries.settle()
  const [event] = await notificationsOf(incident.id)
  expect(event.sent).toBe(1)
  expect(event.not_sent).toEqual(
    expect.arrayContaining([
      { reason: 'subscriber_suppressed', count: 1 },
      { reason: 'subscriber_pending', count: 1 },
      { reason: 'out_of_scope', count: 1 },
    ]),
  )
})

test('who is left out is counted also while the page has no active subscriber', async () => {
  await service.admin.post('/admin/subscribers', { channel: 'email', email: 'pending@example.com' })
  const incident = await openIncident()
  await deliveries.settle()
  const [event] = await notificationsOf(incident.id)
  expect(event.not_sent).toEqual([{ reason: 'subscriber_pending', count: 1 }])
})

test('a webhook whose secret cannot be read any more delays no other one', async () => {
  const { id } = await webhook()
  await webhook()
  await service.services.system.em
    .fork()
    .execute(`update secret set key_id = 'gone' where name = ?`, [`subscriber ${id}`])
  const incident = await openIncident()
  await deliveries.settle()
  expect(sink.received).toHaveLength(1)
  const [event] = await notificationsOf(incident.id)
  expect(event).toMatchObject({ sent: 1, not_sent: [{ reason: 'no_secret', count: 1 }] })
})

test('an admin that asks for internal events without naming them gets them all', async () => {
  const { id } = await webhook([{ internal: true }])
  const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
  expect(body.subscriptions[0].event_kinds).toEqual(
    expect.arrayContaining(['incident.long_running', 'beat.stage_changed']),
  )
  const refused = await service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, {
    subscriptions: [{ event_kinds: ['subscription.confirm'], internal: true }],
  })
  expect(refused.status).toBe(400)
  const same = { subscriptions: [{ id: body.subscriptions[0].id, internal: true }] }
  await service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, same)
  expect((await service.admin.get(`/admin/subscribers/${id}`)).body.version).toBe(1)
})

test('a message that cannot be written is tried again later, and delays no other message', async () => {
  const { id } = await webhook()
  await webhook()
  const broken = deliveriesOf(service, {
    webhook: {
      send: async ({ recipient }) => {
        if (recipient.subscriber_id === id) throw new Error('no template')
        return { result: 'sent', answer: '' }
      },
      close: async () => {},
    },
  })
  const incident = await openIncident()
  await broken.settle()
  await broken.close()
  const [event] = await notificationsOf(incident.id)
  expect(event).toMatchObject({ sent: 1, pending: 1 })
  const [attempt] = event.deliveries.find((one: { state: string }) => one.state === 'retrying').attempts
  expect(attempt.answer).toBe('The message could not be written. The log has the details.')
})
