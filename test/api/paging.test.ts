import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import { routes } from '../../src/api/routes/index.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => (schema instanceof z.ZodObject ? schema.shape : {})

/** Read from a snapshot as a whole. */
const whole = ['public.components.list', 'public.metrics.list']

test('every list with a total has a limit and a cursor', () => {
  const lists = routes.filter(({ method, operation }) => {
    const shape = shapeOf(operation.output)
    return method === 'GET' && 'total' in shape && Object.values(shape).some((field) => field instanceof z.ZodArray)
  })
  const without = lists.filter(
    ({ operation }) => !('cursor' in operation.input.shape && 'limit' in operation.input.shape),
  )
  expect(lists.length).toBeGreaterThan(25)
  expect([...new Set(without.map(({ operation }) => operation.name))].sort()).toEqual(whole)
})

test.each([
  ['status-types', 'status_types'],
  ['lifecycle-stages/incident', 'lifecycle_stages'],
  ['lifecycle-stages/maintenance', 'lifecycle_stages'],
  ['hierarchy/levels', 'levels'],
  ['roles', 'roles'],
  ['external-triggers/templates', 'templates'],
])('the list of %s is the same in parts as at once', async (path, name) => {
  const { body: all } = await service.admin.get(`/admin/${path}`)
  const found: unknown[] = []
  let cursor = ''
  do {
    const { status, body } = await service.admin.get(`/admin/${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    expect([status, body.total, body[name].length <= 2]).toEqual([200, all.total, true])
    found.push(...body[name])
    cursor = body.next_cursor ?? ''
  } while (cursor)
  expect(found).toEqual(all[name])
  expect(found).toHaveLength(all.total)
  expect(all.total).toBeGreaterThan(2)
})

test('the cursor of a record that was deleted is refused', async () => {
  const added = []
  for (const [key, name] of [
    ['slow', 'Slow'],
    ['slower', 'Slower'],
  ]) {
    added.push((await service.admin.post('/admin/status-types', { key, name, color: '#aa8800' })).body)
  }
  const { body: all } = await service.admin.get('/admin/status-types')
  const { body: part } = await service.admin.get(`/admin/status-types?limit=${all.total - 1}`)
  await service.admin.del(`/admin/status-types/${added[0].id}`)
  const { status, body } = await service.admin.get(`/admin/status-types?cursor=${part.next_cursor}`)
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'cursor'])
})
