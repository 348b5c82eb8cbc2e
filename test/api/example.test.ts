import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { fillExample } from '../../src/domain/pages/example.ts'
import { steps } from '../../src/domain/steps.ts'
import { ExampleRecord } from '../../src/persistence/entities/example-record.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const testServices: TestService[] = []
async function withExample(frozenAt?: Date): Promise<TestService> {
  const service = await openTestService({ frozenAt })
  testServices.push(service)
  await fillExample(service.services, service.page)
  return service
}
afterAll(() => Promise.all(testServices.map((service) => service.close())))

const lists = ['/admin/hierarchy/items', '/admin/incidents', '/admin/maintenances', '/admin/maintenance-series']
const totals = ({ admin }: TestService) => Promise.all(lists.map(async (path) => (await admin.get(path)).body.total))
const remove = ({ admin }: TestService) => admin.del('/admin/example')
async function idOf({ admin }: TestService, path: string, name: string): Promise<number> {
  const { body } = await admin.get(`${path}?limit=100`)
  const records = Object.values(body).find(Array.isArray) as { id: number; name?: string; title?: string }[]
  return records.find((one) => (one.name ?? one.title) === name)!.id
}

test('an unchanged example is deleted in one call, with its maintenances and its status events', async () => {
  const service = await withExample()
  const [items, incidents, windows, series] = await totals(service)
  expect([items, incidents, windows > 0, series]).toEqual([13, 2, true, 1])
  const { status, body } = await remove(service)
  expect([status, body.message]).toEqual([
    200,
    `Deleted: 2 incidents, ${windows} maintenance${windows === 1 ? '' : 's'}, 1 maintenance series, 13 items.`,
  ])
  expect(await totals(service)).toEqual([0, 0, 0, 0])
  expect((await service.as(undefined).get('/incidents')).body.total).toBe(0)
  const [audited] = (await service.admin.get('/admin/audit-events?operation=example.delete')).body.audit_events
  expect(audited.after.message).toBe(body.message)
  const again = await remove(service)
  expect([again.status, again.body.message]).toEqual([200, 'The example has no records left.'])
  expect((await service.admin.get('/admin/audit-events?operation=example.delete')).body.total).toBe(1)
})

test('a maintenance that ran by its schedule is deleted too', async () => {
  const service = await withExample(new Date('2026-03-02T10:00:00Z'))
  const { body } = await service.admin.get('/admin/maintenances?limit=100')
  const first = body.maintenances.reduce((a: { scheduled_start_time: string }, b: { scheduled_start_time: string }) =>
    a.scheduled_start_time < b.scheduled_start_time ? a : b,
  )
  for (const at of [first.scheduled_start_time, first.scheduled_end_time]) {
    service.now = new Date(at)
    const { id } = first
    await takeStep(service.services, steps.maintenance, {
      kind: 'maintenance',
      pageId: service.page.id,
      id,
      now: service.now,
    })
  }
  expect((await service.admin.get(`/admin/maintenances/${first.id}`)).body.status).toBe('completed')
  await remove(service)
  expect(await totals(service)).toEqual([0, 0, 0, 0])
})

describe('a record of the example that a person changed or uses', () => {
  let service: TestService
  beforeAll(async () => {
    service = await withExample()
  })

  test('stays with the items above it, and the answer names it', async () => {
    const { admin } = service
    const items = '/admin/hierarchy/items'
    const [web, payments, webhooks, api] = [
      await idOf(service, items, 'Web'),
      await idOf(service, items, 'Payments'),
      await idOf(service, items, 'Webhooks'),
      await idOf(service, items, 'API'),
    ]
    await admin.patch(`${items}/${web}`, { description: 'Ours.' })
    const { body: own } = await admin.post('/admin/incidents', { title: 'Ours', affected_items: [{ id: payments }] })
    const late = await idOf(service, '/admin/incidents', 'Webhooks arrive late')
    await admin.patch(`/admin/incidents/${late}`, { impact: 'Some orders were late.' })
    const { maintenances } = (await admin.get('/admin/maintenances')).body
    const { id: window, title } = maintenances[0]
    await admin.patch(`/admin/maintenances/${window}`, { title, impact: 'Ours.' })
    const { message } = (await remove(service)).body
    for (const part of [
      `the incident "Webhooks arrive late" (${late}), which was changed`,
      `the maintenance "${title}" (${window}), which was changed`,
      `the item "Web" (${web}), which was changed`,
      `the item "Payments" (${payments}), which incidents and status events refer to`,
      `the item "Webhooks" (${webhooks}), which incidents and status events refer to`,
      `the item "API" (${api}), which items below it`,
    ]) {
      expect(message).toContain(part)
    }
    const left = (await admin.get(`${items}?limit=100`)).body.items.map(({ name }: { name: string }) => name)
    expect(left.sort()).toEqual([
      ...['API', 'Accounts', 'Checkout', 'Payments', 'Platform', 'Shop', 'Sign-in', 'Storefront', 'Web', 'Webhooks'],
    ])
    expect((await admin.get(`/admin/incidents/${own.id}`)).body.affected_items).toHaveLength(1)
    expect((await admin.get('/admin/maintenance-series')).body.total).toBe(0)
    // What the person removes makes the rest removable.
    await admin.del(`/admin/incidents/${own.id}`)
    await admin.del(`/admin/incidents/${late}`)
    await admin.del(`/admin/maintenances/${window}`)
    const second = (await remove(service)).body.message
    expect(second).toBe(
      `Deleted: 7 items. These stay: the item "Web" (${web}), which was changed; ` +
        `the item "Storefront" (${await idOf(service, items, 'Storefront')}), which items below it refer to; ` +
        `the item "Shop" (${await idOf(service, items, 'Shop')}), which items below it refer to.`,
    )
  })

  test('stays for a status that was set by hand', async () => {
    const other = await withExample()
    const web = await idOf(other, '/admin/hierarchy/items', 'Web')
    await other.admin.request('PUT', `/admin/hierarchy/items/${web}/status`, { status: 'degraded', reason: 'r' })
    await other.admin.del(`/admin/hierarchy/items/${web}/status`)
    expect((await remove(other)).body.message).toContain(`the item "Web" (${web}), which status events refer to`)
  })
})

test('a start goes on with the example where one before it was killed', async () => {
  const service = await withExample()
  const made = await totals(service)
  // Everything is made, and the list of it is not written yet.
  await service.services.system.em.fork().nativeDelete(ExampleRecord, {})
  await fillExample(service.services, service.page)
  await fillExample(service.services, service.page)
  expect(await totals(service)).toEqual(made)
  await remove(service)
  expect(await totals(service)).toEqual([0, 0, 0, 0])
})
