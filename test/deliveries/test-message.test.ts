import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

let service: TestService
let deliveries: TestDeliveries
let sink: WebhookSink
beforeAll(async () => {
  service = await openTestService()
  deliveries = deliveriesOf(service)
  sink = await openWebhookSink()
})
afterAll(async () => {
  await deliveries?.close()
  await sink?.close()
  await service?.close()
})

const webhook = async (path: string, fields: object = {}) =>
  (await service.admin.post('/admin/subscribers', { channel: 'webhook', url: `${sink.url}${path}`, ...fields })).body
const testOf = (id: number, headers?: Record<string, string>) =>
  service.admin.post(`/admin/subscribers/${id}/test`, {}, headers)

test('a test message is sent to one webhook alone, whatever its subscriptions are', async () => {
  const one = await webhook('/one', { subscriptions: [] })
  await webhook('/two', { subscriptions: [{ internal: true }] })
  const { status, body } = await testOf(one.id)
  expect([status, body]).toEqual([
    200,
    {
      message: `The notification ${body.notification_id} is sent to the subscriber ${one.id}.`,
      notification_id: expect.any(Number),
    },
  ])
  await deliveries.settle()
  expect(sink.received.map(({ path }) => path)).toEqual(['/one'])
  const [{ text, headers }] = sink.received as [WebhookSink['received'][0]]
  expect(new Webhook(one.secret).verify(text, headers as Record<string, string>)).toMatchObject({
    type: 'subscription.test',
    data: { event_id: body.notification_id, subscriber: { id: one.id, channel: 'webhook', state: 'active' } },
  })
  const { body: listed } = await service.admin.get(`/admin/notifications/${body.notification_id}/deliveries`)
  expect(listed.deliveries).toEqual([
    expect.objectContaining({
      ...{ subscriber_id: one.id, state: 'sent' },
      attempts: [expect.objectContaining({ status_code: 204, answer: 'HTTP 204 No Content' })],
    }),
  ])
})

test('each request sends a message of its own, and a repeated key none', async () => {
  const { id } = await webhook('/again')
  const first = await testOf(id, { 'Idempotency-Key': 'again' })
  const repeated = await testOf(id, { 'Idempotency-Key': 'again' })
  const second = await testOf(id)
  expect(repeated.body).toEqual(first.body)
  expect(second.body.notification_id).not.toBe(first.body.notification_id)
  await deliveries.settle()
  const received = sink.received.filter(({ path }) => path === '/again')
  expect(received).toHaveLength(2)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

test('a test is audited and raises no version', async () => {
  const { id } = await webhook('/audited')
  await testOf(id)
  expect((await service.admin.get(`/admin/subscribers/${id}`)).body.version).toBe(1)
  const { body } = await service.admin.get('/admin/audit-events?operation=subscribers.test&limit=1')
  expect(body.audit_events).toEqual([expect.objectContaining({ subject: { kind: 'subscriber', id } })])
})

test.each(['pending', 'unsubscribed', 'suppressed', 'disabled'])('a subscriber that is %s gets none', async (state) => {
  const { id } = await webhook(`/${state}`)
  await service.services.system.em.fork().execute('update subscriber set state = ? where id = ?', [state, id])
  const { status, body } = await testOf(id)
  expect([status, body.error]).toEqual([409, `The subscriber ${id} is ${state}.`])
})

test('during a rotation a message has the signatures of both secrets', async () => {
  const { id, secret } = await webhook('/rotated')
  const rotated = (await service.admin.post(`/admin/subscribers/${id}/rotate-secret`, {})).body
  await testOf(id)
  await deliveries.settle()
  const { text, headers } = sink.received.find(({ path }) => path === '/rotated')!
  for (const known of [secret, rotated.secret]) {
    expect(new Webhook(known).verify(text, headers as Record<string, string>)).toBeTruthy()
  }
})

test('a webhook that is gone is disabled', async () => {
  const { id } = await webhook('/gone')
  sink.answer = ({ path }) => ({ status: path === '/gone' ? 410 : 204 })
  await testOf(id)
  await deliveries.settle()
  expect((await service.admin.get(`/admin/subscribers/${id}`)).body.state).toBe('disabled')
})
