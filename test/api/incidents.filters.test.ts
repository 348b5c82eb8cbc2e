import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const day = (n: number) => new Date(Date.UTC(2026, 2, n, 10))
let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: day(1) })
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body.id
  const report = (body: object) => service.admin.post('/admin/incidents', body)
  await report({ title: 'Search is slow', status: 'degraded', affected_items: [{ id: item }], external_id: 'a' })
  service.now = day(2)
  await report({ title: 'Mail', description: '100% lost', status: 'major_outage', lifecycle_stage_name: 'Identified' })
  service.now = day(3)
  await report({ title: 'Old', external_id: 'c' })
  await service.admin.post('/admin/incidents/external/c/resolve')
})
afterAll(() => service.close())

const titles = (query: string) =>
  service.admin
    .get(`/admin/incidents?${query}`)
    .then(({ body }) => [body.incidents.map((one: { title: string }) => one.title), body.total])

test.each([
  ['', ['Old', 'Mail', 'Search is slow']],
  ['status=degraded', ['Search is slow']],
  ['status=resolved', ['Old']],
  ['state=open', ['Mail', 'Search is slow']],
  ['state=resolved', ['Old']],
  ['search=SEARCH', ['Search is slow']],
  ['search=100%25', ['Mail']],
  ['search=_', []],
  [`started_after=${day(2).toISOString()}`, ['Old', 'Mail']],
  [`started_before=${day(2).toISOString()}`, ['Search is slow']],
  ['state=open&status=major_outage', ['Mail']],
])('a list is narrowed by %s', async (query, expected) => {
  expect(await titles(query)).toEqual([expected, expected.length])
})

test('lists of incidents are filtered by item and by stage', async () => {
  expect(await titles(`item_id=${item}`)).toEqual([['Search is slow'], 1])
  const stages = (await service.admin.get('/admin/lifecycle-stages/incident')).body.lifecycle_stages
  expect(await titles(`lifecycle_stage_id=${stages[1].id}`)).toEqual([['Mail'], 1])
})

test('public lists are narrowed alike, and an unknown filter is refused', async () => {
  const { body } = await service.as(undefined).get('/incidents?state=open')
  expect(body.total).toBe(2)
  expect((await service.as(undefined).get('/incidents?colour=red')).status).toBe(400)
})
