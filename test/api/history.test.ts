import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readingIn } from '../../src/domain/translations/languages.ts'
import { historyOf as historyIn } from '../../src/domain/uptime/page-history.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const at = (time: string) => new Date(`2026-03-${time}:00Z`)
const HOUR = 3600

let service: TestService
let items: Record<'shop' | 'search' | 'cards', number>
beforeAll(async () => {
  service = await openTestService({ frozenAt: at('20T00:00') })
  const shop = await makeItem(service, 'Shop')
  const [search, cards] = [
    await makeItem(service, 'Search', { parent_id: shop }),
    await makeItem(service, 'Cards', { parent_id: shop, start_date: at('22T12:00').toISOString() }),
  ]
  items = { shop, search, cards }
})
afterAll(() => service.close())

const path = () => `/pages/public/${service.page.page_slug}/history`

interface Day {
  date: string
  uptime_percent: number | null
  status: string | null
  seconds: Record<string, number>
  incident_ids: number[]
  maintenance_ids: number[]
}
interface ItemHistory {
  item: { id: number }
  uptime_percent: number | null
  seconds: Record<string, number>
  days: Day[]
}

/** Changes the page, so that its snapshots are rebuilt. */
async function read(query: string) {
  service.services.pageChanged(service.page.id)
  return service.as(undefined).get(`${path()}${query}`)
}

async function historyOf(item: number, query: string): Promise<ItemHistory> {
  const { body } = await read(query)
  return body.items.find((one: ItemHistory) => one.item.id === item)
}

async function down(status: string, item: number, from: string, to: string): Promise<number> {
  service.now = at(from)
  const report = { title: 'X', status, affected_items: [{ id: item }] }
  const { id } = (await service.admin.post('/admin/incidents', report)).body
  service.now = at(to)
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  return id
}

async function maintain(item: number, from: string, to: string): Promise<number> {
  service.now = at(from)
  const window = { scheduled_start_time: at(from).toISOString(), scheduled_end_time: at(to).toISOString() }
  const plan = { title: 'M', affected_items: [{ id: item }], ...window }
  const { id } = (await service.admin.post('/admin/maintenances', plan)).body
  await service.admin.post(`/admin/maintenances/${id}/start`)
  service.now = at(to)
  await service.admin.post(`/admin/maintenances/${id}/complete`)
  return id
}

test('each day has its seconds, its worst status, its percentage, and what affected the item or an item below it', async () => {
  const incident = await down('major_outage', items.search, '21T23:00', '22T06:00')
  const maintenance = await maintain(items.cards, '23T01:00', '23T03:00')
  service.now = at('23T12:00')
  const { body, status } = await read('?days=4')
  expect([status, body.timezone, body.days, body.items.length]).toEqual([200, 'UTC', 4, 3])
  expect([body.start_time, body.end_time]).toEqual([at('20T00:00').toISOString(), at('23T12:00').toISOString()])
  expect(body.weights).toMatchObject({ operational: 0, maintenance: 0, degraded: 0, major_outage: 1 })
  const none = { incident_ids: [], maintenance_ids: [] }
  const calm = (date: string, hours: number) => ({
    ...{ date, uptime_percent: 100, status: 'operational', seconds: { operational: hours * HOUR }, ...none },
  })
  const search = body.items.find((one: ItemHistory) => one.item.id === items.search)
  expect(search).toMatchObject({
    item: { name: 'Search', status: 'operational', hierarchy_path: 'Shop / Search' },
    ...{ uptime_percent: 91.6666, seconds: { operational: 77 * HOUR, major_outage: 7 * HOUR } },
  })
  const troubled = { status: 'major_outage', incident_ids: [incident], maintenance_ids: [] }
  const eleventh = { operational: 23 * HOUR, major_outage: HOUR }
  const night = { major_outage: 6 * HOUR, operational: 18 * HOUR }
  expect(search.days).toEqual([
    calm('2026-03-20', 24),
    { date: '2026-03-21', uptime_percent: 95.8333, seconds: eleventh, ...troubled },
    { date: '2026-03-22', uptime_percent: 75, seconds: night, ...troubled },
    calm('2026-03-23', 12),
  ])
  const nothing = { uptime_percent: null, status: null, seconds: {}, ...none }
  expect((await historyOf(items.cards, '?days=4')).days).toEqual([
    { date: '2026-03-20', ...nothing },
    { date: '2026-03-21', ...nothing },
    calm('2026-03-22', 12),
    {
      ...{ date: '2026-03-23', uptime_percent: 100, status: 'maintenance', incident_ids: [] },
      ...{ seconds: { operational: 10 * HOUR, maintenance: 2 * HOUR }, maintenance_ids: [maintenance] },
    },
  ])
  const shop = (await historyOf(items.shop, '?days=4')).days
  expect(shop.map(({ incident_ids }) => incident_ids)).toEqual([[], [incident], [incident], []])
  expect(shop.map(({ maintenance_ids }) => maintenance_ids)).toEqual([[], [], [], [maintenance]])
})

test('maintenance counts as the setting says', async () => {
  await service.admin.patch('/admin/settings', { reliability_maintenance_counts_as_uptime: false })
  const { body } = await read('?days=1')
  expect(body.weights.maintenance).toBe(1)
  expect((await historyOf(items.cards, '?days=1')).days[0]).toMatchObject({ uptime_percent: 83.3333 })
  await service.admin.patch('/admin/settings', { reliability_maintenance_counts_as_uptime: true })
})

test('an open incident affects each day until now, and an incident before the window affects none', async () => {
  service.now = at('24T10:00')
  const report = { title: 'X', status: 'degraded', affected_items: [{ id: items.search }] }
  const { id } = (await service.admin.post('/admin/incidents', report)).body
  service.now = at('26T10:00')
  const { days } = await historyOf(items.search, '?days=4')
  expect(days.map(({ status, incident_ids }) => [status, incident_ids])).toEqual([
    ['operational', []],
    ['degraded', [id]],
    ['degraded', [id]],
    ['degraded', [id]],
  ])
  expect(days.map(({ uptime_percent }) => uptime_percent)).toEqual([100, 100, 100, 100])
  await service.admin.post(`/admin/incidents/${id}/resolve`)
})

test('days are cut in the zone of the policy, where a clock change makes a day of 23 hours', async () => {
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'Europe/Berlin' })
  service.now = at('30T22:00')
  const { days } = await historyOf(items.shop, '?days=3')
  const lengths = days.map(({ date, seconds }) => [date, Object.values(seconds).reduce((sum, n) => sum + n, 0) / HOUR])
  expect(lengths).toEqual([
    ['2026-03-29', 23],
    ['2026-03-30', 24],
    ['2026-03-31', 0],
  ])
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'UTC' })
})

test('items share their quiet days, and no other days', async () => {
  const { services, page, now } = service
  const { items: shown } = await inPageTransaction(services.app, page.id, async (tx) =>
    historyIn(tx, now, { days: 30, reading: await readingIn(tx, undefined) }),
  )
  const [shop, search, cards] = [items.shop, items.search, items.cards].map(
    (id) => shown.find(({ item }) => item.id === id)!.days,
  )
  const shared = shop!.filter((day, index) => day === search![index])
  expect(shared.length).toBeGreaterThan(1)
  for (const day of shared) expect([day.incident_ids, day.maintenance_ids]).toEqual([[], []])
  const began = cards!.findIndex(({ date }) => date === '2026-03-22')
  expect(cards![began]).not.toBe(shop![began])
})

test.each([1, 3, 30, 365])('%d days equal the uptime of each item and its days', async (days) => {
  await down('partial_outage', items.cards, '30T23:00', '31T01:00')
  service.now = at('31T02:00')
  const { body } = await read(`?days=${days}`)
  for (const one of body.items as ItemHistory[]) {
    const uptime = (await service.admin.get(`/admin/hierarchy/items/${one.item.id}/uptime?days=${days}`)).body
    expect([one.uptime_percent, one.seconds]).toEqual([uptime.uptime_percent, uptime.seconds])
    expect(
      one.days.map(({ date, uptime_percent, seconds, status }) => ({ date, uptime_percent, seconds, status })),
    ).toEqual(
      uptime.days.map(({ date, uptime_percent, seconds, worst_status: status }: Day & { worst_status: string }) => ({
        ...{ date, uptime_percent, seconds, status },
      })),
    )
  }
})

test('90 days unless another number is asked for, and archived items are absent', async () => {
  const { body } = await read('')
  expect([body.days, body.items[0].days.length]).toEqual([90, 90])
  for (const days of ['0', '366', 'x']) expect((await read(`?days=${days}`)).status).toBe(400)
  const archived = await makeItem(service, 'Archived')
  await service.admin.del(`/admin/hierarchy/items/${archived}?archive=true`)
  expect(await historyOf(archived, '?days=1')).toBeUndefined()
})

test('the history is a public read with an ETag, and a private page has none for strangers', async () => {
  const { headers } = await read('?days=1')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const known = { 'If-None-Match': headers.get('etag')! }
  expect((await service.as(undefined).get(`${path()}?days=1`, known)).status).toBe(304)
  const head = await service.as(undefined).request('HEAD', `${path()}?days=1`)
  expect([head.status, head.headers.get('etag'), head.body]).toEqual([200, headers.get('etag'), ''])
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect((await read('')).status).toBe(404)
  expect((await service.admin.get(path())).status).toBe(200)
  await service.admin.patch('/admin/page', { visibility: 'public' })
})
