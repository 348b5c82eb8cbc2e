import { afterAll, beforeAll, expect, test } from '@jest/globals'
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

test('what readers learn more than a day late is not sent', async () => {
  await service.admin.post('/admin/subscribers', { channel: 'webhook', url: sink.url })
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
  const outcomes = body.events.map(({ notification, not_sent }: Record<string, { key: string }>) => [
    notification!.key,
    not_sent,
  ])
  expect(new Map(outcomes)).toEqual(
    new Map([
      ['maintenance.completed', [{ reason: 'too_old', count: 1 }]],
      ['maintenance.started', [{ reason: 'too_old', count: 1 }]],
      ['maintenance.scheduled', [{ reason: 'notify_false', count: 0 }]],
    ]),
  )
  expect(sink.received).toEqual([])
})
