import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openIncident, processOf } from '../support/incidents.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
let sink: WebhookSink
beforeAll(async () => {
  sink = await openWebhookSink()
  processes = await openSkippingProcesses()
  service = processes.service
  await service.admin.post('/admin/subscribers', { channel: 'webhook', url: sink.url })
})
afterAll(async () => {
  await processes?.close()
  await sink?.close()
})

const eventsOf = async (id: number) => (await service.admin.get(`/admin/incidents/${id}/notifications`)).body.events
const isDone = async (id: number) => (await eventsOf(id)).every((event: { pending: number }) => event.pending === 0)

test('the worker sends to the webhook, and the process ends', async () => {
  const { id } = await openIncident(service)
  const [event] = await until(
    () => eventsOf(id),
    ([one]) => one.sent === 1,
  )
  expect(sink.received.filter(({ body }) => body.data.incident.id === id)).toHaveLength(1)
  await until(
    () => processOf(service, `notification:${event.notification.id}`),
    ({ state }) => state === 'done',
  )
})

test('attempts are made at their moments until a receiver answers, under one id', async () => {
  sink.received.length = 0
  sink.answer = () => ({ status: 500 })
  const { id } = await openIncident(service)
  await until(
    () => eventsOf(id),
    ([one]) => one.deliveries[0]?.attempts.length === 1,
  )
  await processes.pass('5 minutes')
  await processes.pass('10 minutes')
  sink.answer = () => ({ status: 204 })
  await processes.pass('1 hour')
  await until(
    () => isDone(id),
    (done) => done,
  )
  const [{ deliveries }] = await eventsOf(id)
  const { attempts } = deliveries[0]
  const waits = attempts
    .slice(1)
    .map(({ at }: { at: string }, index: number) =>
      Math.round((Date.parse(at) - Date.parse(attempts[index].at)) / 1000),
    )
  expect(waits).toEqual([5, 300, 1800].slice(0, waits.length).map((seconds) => expect.closeTo(seconds, -1)))
  expect(attempts.at(-1)).toMatchObject({ status_code: 204 })
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})
