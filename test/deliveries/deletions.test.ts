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
  await service.admin.del(`/admin/incidents/${incident.id}`)
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

test.each([
  ['incident', 'what it is about was deleted'],
  ['subscriber', 'its subscriber was deleted'],
])('a delivery whose %s was deleted is not retried and keeps its outcome', async (deleted, because) => {
  const { id } = await webhook()
  sink.answer = () => ({ status: 410 })
  const incident = await openIncident()
  await deliveries.settle()
  const { body: listed } = await service.admin.get('/admin/deliveries')
  const [refused] = listed.deliveries
  await service.admin.del(deleted === 'incident' ? `/admin/incidents/${incident.id}` : `/admin/subscribers/${id}`)
  const address = `/admin/deliveries/${refused.id}`
  const { status, body } = await service.admin.post(`${address}/retry`)
  expect([status, body.error]).toEqual([409, `The delivery ${refused.id} cannot be sent, because ${because}.`])
  expect((await service.admin.get(address)).body).toMatchObject({ state: 'failed', reason: 'refused' })
})
