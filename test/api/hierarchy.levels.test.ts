import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/hierarchy/levels'

test('a page has three levels, and gets a fourth below them', async () => {
  const { body } = await service.admin.get(path)
  expect(body.levels.map((level: { singular: string }) => level.singular)).toEqual(['Product', 'Service', 'Component'])
  const made = await service.admin.post(path, { singular: 'Part', plural: 'Parts' })
  expect([made.status, made.body.depth]).toEqual([201, 4])
  const renamed = await service.admin.patch(`${path}/${made.body.id}`, { singular: 'Piece' })
  expect(renamed.body).toMatchObject({ singular: 'Piece', plural: 'Parts' })
})

test('only the deepest level can be deleted, and only without items', async () => {
  const levels = (await service.admin.get(path)).body.levels
  expect((await service.admin.del(`${path}/${levels[0].id}`)).status).toBe(409)
  let parent_id: number | undefined
  for (const name of ['1', '2', '3', '4']) {
    parent_id = (await service.admin.post('/admin/hierarchy/items', { name, parent_id })).body.id
  }
  expect((await service.admin.del(`${path}/${levels[3].id}`)).status).toBe(409)
  await service.admin.del(`/admin/hierarchy/items/${parent_id}`)
  expect((await service.admin.del(`${path}/${levels[3].id}`)).status).toBe(200)
})

test('a level has a version, and a stale change or delete is refused', async () => {
  const made = (await service.admin.post(path, { singular: 'Part', plural: 'Parts' })).body
  expect(made.version).toBe(1)
  expect((await service.admin.patch(`${path}/${made.id}`, { singular: 'Bit', version: 1 })).body.version).toBe(2)
  const stale = await service.admin.patch(`${path}/${made.id}`, { singular: 'Bob', version: 1 })
  expect([stale.status, stale.body.current_version]).toEqual([409, 2])
  expect((await service.admin.get(path)).body.levels.at(-1)).toMatchObject({ singular: 'Bit', version: 2 })
  expect((await service.admin.del(`${path}/${made.id}?version=1`)).body.current_version).toBe(2)
  expect((await service.admin.del(`${path}/${made.id}?version=2`)).status).toBe(200)
})

test('the same names are no change of a level', async () => {
  const made = (await service.admin.post(path, { singular: 'Part', plural: 'Parts' })).body
  const rows = async () => (await service.admin.get('/admin/audit-events?limit=1')).body.total
  const before = await rows()
  expect((await service.admin.patch(`${path}/${made.id}`)).body).toEqual(made)
  expect((await service.admin.patch(`${path}/${made.id}`, { singular: 'Part' })).body).toEqual(made)
  expect(await rows()).toBe(before)
})
