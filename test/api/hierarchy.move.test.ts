import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import pg from 'pg'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const ids: Record<string, number> = {}
const path = '/admin/hierarchy/items'

beforeAll(async () => {
  service = await openTestService()
  for (const [name, parent] of [
    ['A', undefined],
    ['A1', 'A'],
    ['A11', 'A1'],
    ['B', undefined],
    ['B1', 'B'],
  ] as const) {
    const parent_id = parent === undefined ? undefined : ids[parent]
    ids[name] = (await service.admin.post(path, { name, parent_id })).body.id
  }
})
afterAll(() => service.close())

const read = async (name: string) => (await service.admin.get(`${path}/${ids[name]}`)).body
const move = (name: string, depth: number, parent?: string) =>
  service.admin.post(`${path}/${ids[name]}/move`, { depth, ...(parent ? { parent_id: ids[parent] } : {}) })
const validate = async (body: object = {}) => (await service.admin.post('/admin/hierarchy/validate', body)).body

test.each([
  ['below itself', 'A', 2, 'A', 'parent_id'],
  ['below its own child', 'A', 3, 'A1', 'parent_id'],
  ['at a depth that is not its parent’s plus 1', 'A1', 3, 'B', 'depth'],
  ['at the top with the wrong depth', 'A1', 2, undefined, 'depth'],
  ['where its children would have no level', 'A', 2, 'B', 'depth'],
])('an item cannot move %s', async (_where, name, depth, parent, field) => {
  const { status, body } = await move(name, depth, parent)
  expect([status, body.errors[0].path]).toEqual([400, field])
  const parent_id = parent ? ids[parent] : undefined
  const checked = await validate({ item_id: ids[name], depth, parent_id })
  expect(checked).toEqual({ valid: false, error: expect.any(String), message: body.errors[0].message })
})

test('a subtree moves as a whole, and the statuses above follow', async () => {
  await service.admin.post('/admin/incidents', { title: 'X', affected_items: [{ id: ids.A11 }] })
  expect([(await read('A')).status, (await read('B')).status]).toEqual(['degraded', 'operational'])
  expect(await validate({ item_id: ids.A1, depth: 2, parent_id: ids.B })).toMatchObject({ valid: true })
  expect((await move('A1', 2, 'B')).body.hierarchy_path).toBe('B / A1')
  expect((await read('A11')).hierarchy_path).toBe('B / A1 / A11')
  expect([(await read('A')).status, (await read('B')).status]).toEqual(['operational', 'degraded'])

  expect((await move('A1', 1)).status).toBe(200)
  expect((await read('A11')).depth).toBe(2)
  expect((await service.admin.patch(`${path}/${ids.A1}`, { parent_id: ids.A })).body.depth).toBe(2)
  expect((await read('A11')).depth).toBe(3)
})

test('the whole tree is checked with an empty body', async () => {
  expect(await validate()).toMatchObject({ valid: true })
  await service.services.system.em.fork().execute('update hierarchy_item set depth = 3 where id = ?', [ids.B1])
  expect(await validate()).toMatchObject({ valid: false, error: 'depth_mismatch' })
})

test('two moves at once that would make a circle together: one is refused', async () => {
  const one = (await service.admin.post(path, { name: 'One' })).body.id
  const two = (await service.admin.post(path, { name: 'Two' })).body.id
  const answers = await Promise.all([
    service.admin.post(`${path}/${one}/move`, { depth: 2, parent_id: two }),
    service.admin.post(`${path}/${two}/move`, { depth: 2, parent_id: one }),
  ])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
})

test('ten thousand items are listed and moved without a query for each', async () => {
  await service.services.system.em.fork().execute(
    `insert into hierarchy_item (page_id, parent_id, depth, name, slug, display_order, status, start_date, version,
        created_at, updated_at)
      select ?, ?, 3, 'Item ' || n, 'item-' || n, n, 'operational', now(), 1, now(), now()
        from generate_series(1, 10000) n`,
    [service.page.id, ids.A1],
  )
  const queries = jest.spyOn(pg.Client.prototype, 'query')
  expect((await service.admin.get(`${path}?depth=3&limit=100`)).body.items).toHaveLength(100)
  expect((await move('A1', 1)).status).toBe(200)
  expect((await service.admin.get(`${path}?depth=2`)).body.total).toBeGreaterThan(10_000)
  expect(queries.mock.calls.length).toBeLessThan(100)
  queries.mockRestore()
})
