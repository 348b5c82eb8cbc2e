import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

let service: TestService
let deliveries: TestDeliveries
let sink: WebhookSink
const items: Record<string, number> = {}
beforeAll(async () => {
  service = await openTestService()
  deliveries = deliveriesOf(service)
  sink = await openWebhookSink()
  for (const name of ['Web', 'Payments', 'Search']) {
    items[name] = (await service.admin.post('/admin/hierarchy/items', { name })).body.id
    const scope = { kind: 'items', items: [{ id: items[name] }] }
    const body = { channel: 'webhook', url: `${sink.url}/${name}`, subscriptions: [{ scope }] }
    await service.admin.post('/admin/subscribers', body)
  }
})
beforeEach(() => {
  sink.received.length = 0
})
afterAll(async () => {
  await deliveries?.close()
  await sink?.close()
  await service?.close()
})

const affecting = (...names: string[]) => ({ affected_items: names.map((name) => ({ id: items[name] })) })
const received = async (name: string) => {
  await deliveries.settle()
  return sink.received.filter(({ path }) => path === `/${name}`).map(({ body }) => body.type)
}

const removals: [string, (path: string) => Promise<unknown>][] = [
  ['its impact is removed', (path) => service.admin.del(`${path}/impacts/${items.Web}`)],
  ['its impact ends', (path) => service.admin.patch(`${path}/impacts/${items.Web}`, { end_time: new Date() })],
  ['the incident is changed', (path) => service.admin.patch(path, affecting('Payments'))],
]

test.each(removals)(
  'a subscriber of an item that an incident affected reads its end after %s',
  async (_what, remove) => {
    const { id } = (await service.admin.post('/admin/incidents', { title: 'Slow', ...affecting('Web', 'Payments') }))
      .body
    const path = `/admin/incidents/${id}`
    expect(await received('Web')).toEqual(['incident.created'])
    await remove(path)
    expect(await received('Web')).toEqual(['incident.created', 'incident.updated'])
    expect(sink.received.at(-1)!.body.data.items).toMatchObject([{ name: 'Payments' }])
    const preview = (await service.admin.get(`${path}/notification-preview?key=incident.resolved`)).body
    await service.admin.post(`${path}/resolve`)
    expect(await received('Web')).toEqual(['incident.created', 'incident.updated', 'incident.resolved'])
    expect(preview.total).toBe(2)
    expect(await received('Search')).toEqual([])
  },
)

test('an update that was posted before the item was removed reaches the subscriber of the item', async () => {
  const { id } = (await service.admin.post('/admin/incidents', { title: 'Slow', ...affecting('Web', 'Payments') })).body
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We look into it' })
  await service.admin.del(`/admin/incidents/${id}/impacts/${items.Web}`)
  expect(await received('Web')).toEqual(['incident.created', 'incident.updated', 'incident.updated'])
})

test('a subscriber of an item that leaves a maintenance is notified of that, and of nothing later', async () => {
  const body = { title: 'Upgrade', ...affecting('Web', 'Payments') }
  const { id } = (await service.admin.post('/admin/maintenances', body)).body
  await deliveries.settle()
  await service.admin.patch(`/admin/maintenances/${id}`, { title: 'Upgrade', ...affecting('Payments') })
  await service.admin.post(`/admin/maintenances/${id}/cancel`)
  expect(await received('Web')).toEqual(['maintenance.scheduled', 'maintenance.updated'])
  expect(sink.received.find(({ body }) => body.type === 'maintenance.updated')!.body.data).toMatchObject({
    items: [{ name: 'Payments' }],
    details: { removed_items: [items.Web] },
  })
  expect(await received('Payments')).toHaveLength(3)
})
