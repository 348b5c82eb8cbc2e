import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let queries = 0
const original = pg.Client.prototype.query
beforeAll(async () => {
  service = await openTestService()
  pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
    // Which pages there are is read again each second, by whichever request comes then.
    if (!JSON.stringify(args[0]).includes('managed_domain')) queries += 1
    return Reflect.apply(original, this, args)
  } as typeof original
})
afterAll(async () => {
  pg.Client.prototype.query = original
  await service.close()
})

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

/** What the paths name: one incident and one item, which grow with the page. */
const named = { incident: 0, item: 0 }

async function grow(): Promise<void> {
  await growNamed()
  const parent = (await service.admin.post('/admin/hierarchy/items', { name: 'Top' })).body.id
  for (let n = 0; n < 5; n += 1) {
    const leaf = { name: 'Leaf', parent_id: parent, translations: inGerman({ name: 'Blatt' }) }
    const item = (await service.admin.post('/admin/hierarchy/items', leaf)).body.id
    const report = { title: 'X', affected_items: [{ id: item }], translations: inGerman({ title: 'Y' }) }
    const { id } = (await service.admin.post('/admin/incidents', report)).body
    await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'M' })
    const work = { title: 'W', affected_items: [{ id: item }], status: 'in_progress' }
    const maintenance = (await service.admin.post('/admin/maintenances', work)).body
    await service.admin.post(`/admin/maintenances/${maintenance.id}/updates`, { message: 'M' })
    const daily = { recurrence_type: 'daily', start_time: '02:30', start_date: tomorrow, duration_minutes: 60 }
    await service.admin.post('/admin/beat-groups', {
      name: 'G',
      component_ids: [item],
      member_monitor_ids: [await beat(item)],
    })
    await service.admin.post('/admin/maintenance-series', { ...work, status: 'active', ...daily, max_occurrences: 3 })
  }
}

const inGerman = (values: object) => [{ locale: 'de', values, state: 'published' }]

const beat = async (item: number): Promise<number> => {
  const target = { type: 'external_event', target: { kind: 'external_event' } }
  return (await service.admin.post('/admin/beats', { name: 'B', ...target, component_ids: [item] })).body.id
}

async function growNamed(): Promise<void> {
  if (!named.item) {
    named.item = (await service.admin.post('/admin/hierarchy/items', { name: 'Named' })).body.id
    named.incident = (await service.admin.post('/admin/incidents', { title: 'N' })).body.id
  }
  for (let n = 0; n < 3; n += 1) {
    const leaf = (await service.admin.post('/admin/hierarchy/items', { name: 'Below', parent_id: named.item })).body.id
    await service.admin.post(`/admin/incidents/${named.incident}/impacts`, { item_id: leaf })
    await service.admin.post(`/admin/incidents/${named.incident}/updates`, { message: 'M' })
    for (const status of ['degraded', 'major_outage']) {
      await service.admin.request('PUT', `/admin/hierarchy/items/${leaf}/status`, { status, reason: 'R' })
    }
    await service.admin.del(`/admin/hierarchy/items/${leaf}/status`)
  }
}

const count = async (path: string, method = 'GET', body?: object) => {
  service.services.pageChanged(service.page.id)
  queries = 0
  expect((await service.admin.request(method, path, body)).status).toBe(200)
  return queries
}

const paths = [
  '/admin/incidents',
  '/admin/incidents?view=full',
  '/admin/maintenances',
  '/admin/maintenances?view=full',
  '/admin/maintenance-series?view=full',
  '/maintenances?view=full',
  '/admin/beats',
  '/admin/beats?view=full',
  '/admin/beat-groups',
  '/admin/beat-groups?view=full',
  '/admin/hierarchy/items',
  '/admin/hierarchy/items/{item}/status-events',
  '/admin/hierarchy/items/{item}/uptime',
  '/admin/incidents/{incident}/impacts',
  '/admin/incidents/{incident}/updates',
  '/admin/notifications',
  '/admin/workflows',
  '/admin/audit-events',
  '/incidents?view=full',
  '/pages/public/first/components',
  '/pages/public/first/history',
  '/pages/public/first/summary',
  '/pages/public/first/summary?locale=de',
  '/pages/public/first/history?locale=de',
  '//',
  '//?locale=de',
]

async function countAll(): Promise<number[]> {
  const counts: number[] = []
  for (const template of paths) {
    const path = template.replace(/\{(item|incident)\}/, (_all, name: keyof typeof named) => String(named[name]))
    counts.push(await count(path))
  }
  return counts
}

describe('the number of queries does not grow with the page', () => {
  let [small, large]: number[][] = []
  beforeAll(async () => {
    await service.admin.patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
    await grow()
    // The last use of a token is noted by the first request only.
    await countAll()
    small = await countAll()
    await grow()
    large = await countAll()
  })

  test.each(paths.map((path, index) => [path, index] as const))('behind %s', (_path, index) =>
    expect(large![index]).toBe(small![index]),
  )
})

const make = async (name: string, parent_id?: number): Promise<number> =>
  (await service.admin.post('/admin/hierarchy/items', { name, parent_id })).body.id

test('nor does that behind the move of an item with all below it', async () => {
  await grow()
  const [one, other] = [await make('One'), await make('Other')]
  const move = (parent_id: number) =>
    count(`/admin/hierarchy/items/${named.item}/move`, 'POST', { depth: 2, parent_id })
  await move(one)
  const before = await move(other)
  await grow()
  expect(await move(one)).toBe(before)
})

test('nor that behind the correction of a status event, which is carried upwards', async () => {
  const above = await make('Above', await make('Top'))
  const flickers = async () => {
    const item = await make('Flickers', above)
    await service.admin.request('PUT', `/admin/hierarchy/items/${item}/status`, { status: 'degraded', reason: 'R' })
    await service.admin.del(`/admin/hierarchy/items/${item}/status`)
    return (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body.events
  }
  const [end, begin] = await flickers()
  const correct = (event_time: string | null) =>
    count(`/admin/status-events/${end.id}/time`, 'POST', { event_time, correction_note: 'N' })
  const before = await correct(begin.event_time)
  await correct(null)
  for (let n = 0; n < 5; n += 1) await flickers()
  expect(await correct(begin.event_time)).toBe(before)
})
