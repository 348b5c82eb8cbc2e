import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { lockStatuses } from '../../src/persistence/hierarchy.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
const ids: Record<string, number> = {}
beforeAll(async () => {
  service = await openTestService()
  for (const [name, parent] of [
    ['Shop', undefined],
    ['Checkout', 'Shop'],
    ['Payments', 'Checkout'],
    ['Invoices', 'Checkout'],
    ['Alone', undefined],
  ] as const) {
    const { body } = await service.admin.post('/admin/hierarchy/items', {
      name,
      external_id: `ext-${name}`,
      parent_id: parent && ids[parent],
    })
    ids[name] = body.id
  }
})
afterAll(() => service.close())

const report = (affected_items: object[], body: object = {}) =>
  service.admin.post('/admin/incidents', { title: 'Down', affected_items, ...body })
const update = (id: number, body: object) =>
  service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm', ...body })
const resolve = (id: number) => service.admin.post(`/admin/incidents/${id}/resolve`)

async function statuses(): Promise<Record<string, string>> {
  const { body } = await service.admin.get('/admin/hierarchy/items')
  const calm = body.items.filter((item: { status: string }) => item.status !== 'operational')
  return Object.fromEntries(calm.map((item: { name: string; status: string }) => [item.name, item.status]))
}

describe('references', () => {
  test('a reference names an item by id, by slug, by external id, or by several of these that agree', async () => {
    const refs = [
      { id: ids.Payments },
      { slug: 'invoices' },
      { external_id: 'ext-Alone' },
      { id: ids.Checkout, slug: 'checkout', external_id: 'ext-Checkout' },
    ]
    const { body } = await report(refs)
    expect(body.affected_items.map((item: { name: string }) => item.name)).toEqual([
      'Payments',
      'Invoices',
      'Alone',
      'Checkout',
    ])
    expect(body.affected_items[0].hierarchy_path).toBe('Shop / Checkout / Payments')
    await resolve(body.id)
  })

  test('one that is named twice is affected once', async () => {
    const { body } = await report([{ id: ids.Alone }, { slug: 'alone' }, { external_id: 'ext-Alone' }])
    expect(body.affected_items).toHaveLength(1)
    await resolve(body.id)
  })

  test('those that disagree or name nothing are named by their place', async () => {
    const { status, body } = await report([
      { slug: 'payments' },
      { id: 999_999 },
      { slug: 'nowhere' },
      { external_id: 'nowhere' },
      { id: ids.Alone, slug: 'payments' },
      { id: ids.Alone, external_id: 'nowhere' },
    ])
    expect(status).toBe(400)
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(
      [1, 2, 3, 4, 5].map((index) => `affected_items.${index}`),
    )
    expect(body.errors[0].message).toContain('999999')
    expect(body.errors[3].message).toContain('not name the same item')
    expect(await statuses()).toEqual({})
  })

  test('another page’s item is nothing', async () => {
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    const { body } = await service.otherAdmin.post(`${prefix}/hierarchy/items`, { name: 'Theirs' })
    expect((await report([{ id: body.id }])).status).toBe(400)
    expect((await report([{ slug: 'theirs' }])).status).toBe(400)
  })

  test('an incident accepts five hundred references at most', async () => {
    const { status, body } = await report(Array(501).fill({ id: ids.Alone }))
    expect([status, body.errors[0].path]).toEqual([400, 'affected_items'])
    const most = await report(Array(500).fill({ id: ids.Alone }))
    expect(most.status).toBe(201)
    await resolve(most.body.id)
  })
})

describe('statuses', () => {
  test('items and their parents follow the incident, and go back when it is over', async () => {
    const { body } = await report([{ slug: 'payments' }], { status: 'partial_outage' })
    const down = (status: string) => ({ Shop: status, Checkout: status, Payments: status })
    expect(await statuses()).toEqual(down('partial_outage'))
    await update(body.id, { status: 'major_outage' })
    expect(await statuses()).toEqual(down('major_outage'))
    await update(body.id, { status: 'degraded' })
    expect(await statuses()).toEqual(down('degraded'))
    await resolve(body.id)
    expect(await statuses()).toEqual({})
  })

  test('the worst of several incidents holds', async () => {
    const mild = await report([{ slug: 'payments' }], { status: 'degraded' })
    const bad = await report([{ slug: 'payments' }, { slug: 'invoices' }], { status: 'major_outage' })
    expect(await statuses()).toEqual({
      Shop: 'major_outage',
      Checkout: 'major_outage',
      Payments: 'major_outage',
      Invoices: 'major_outage',
    })
    await resolve(bad.body.id)
    expect(await statuses()).toEqual({ Shop: 'degraded', Checkout: 'degraded', Payments: 'degraded' })
    await update(mild.body.id, { status: 'resolved' })
    expect(await statuses()).toEqual({})
  })

  test('a resolved incident still shows what it affected', async () => {
    const { body } = await report([{ slug: 'payments' }])
    const resolved = await resolve(body.id)
    expect(resolved.body.affected_items).toEqual([expect.objectContaining({ name: 'Payments', status: 'operational' })])
  })

  test('a refused update leaves them as they were', async () => {
    const { body } = await report([{ slug: 'alone' }])
    expect((await update(body.id, { status: 'major_outage', version: 9 })).status).toBe(409)
    expect(await statuses()).toEqual({ Alone: 'degraded' })
    await resolve(body.id)
  })

  test('many incidents that come and go at once leave everything operational', async () => {
    const come = (n: number) => report([{ slug: n % 2 ? 'payments' : 'invoices' }, { slug: 'alone' }])
    const reports = await Promise.all(Array.from({ length: 12 }, (_, n) => come(n)))
    expect(reports.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(await statuses()).toMatchObject({ Shop: 'degraded', Alone: 'degraded' })
    await Promise.all(reports.map(({ body }) => resolve(body.id)))
    expect(await statuses()).toEqual({})
  })

  test('a report that waits for a resolution does not take over what it read before', async () => {
    const first = await report([{ slug: 'alone' }])
    let both: Promise<unknown> | undefined
    let second: ReturnType<typeof report> | undefined
    await inPageTransaction(service.services.app, service.page.id, async (tx) => {
      await lockStatuses(tx, service.page.id)
      const resolving = resolve(first.body.id)
      await waiting(1)
      second = report([{ slug: 'alone' }])
      await waiting(2)
      both = Promise.all([resolving, second])
    })
    await both
    expect(await statuses()).toEqual({ Alone: 'degraded' })
    await resolve((await second!).body.id)
    expect(await statuses()).toEqual({})
  })
})

/** Until so many statements wait for an advisory lock. */
const waiting = (count: number) =>
  until(
    () =>
      service.services.system.em.fork().execute<object[]>(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      ),
    (rows) => rows.length >= count,
  )
