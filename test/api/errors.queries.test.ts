import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const lists = [
  '/admin/incidents',
  '/admin/hierarchy/items',
  '/admin/api-tokens',
  '/admin/audit-events',
  '/admin/notifications',
  '/admin/workflows',
  '/incidents',
]

const encoded = (keys: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(keys)).toString('base64url'))
const cursors = [
  'x',
  '',
  '%00',
  encoded({}),
  encoded([]),
  encoded(null),
  encoded([1e300]),
  encoded([-1]),
  encoded(['1']),
  encoded([1, 2]),
  encoded([0.5]),
  encoded([2 ** 40, 2 ** 40, 2 ** 40]),
  encoded([1, 1, 2 ** 31]),
  encoded(['0000-01-01T00:00:00Z', 1]),
  encoded(['9999-12-31T00:00:00Z', 1]),
  encoded(['2026-01-01T00:00:00Z', 2 ** 31]),
  encoded(['2026-01-01T00:00:00Z', 'a\0b']),
  encoded(['2026-01-01T00:00:00Z', '\ud800']),
]

describe.each(lists)('%s', (path) => {
  test.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=', 'limit=many', 'limit=NaN', 'limit=Infinity'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await house.admin.get(`${path}?${query}`)
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'limit'])
    },
  )

  test.each(['limit=1', 'limit=100'])('takes %s', async (query) => {
    expect((await house.admin.get(`${path}?${query}`)).status).toBe(200)
  })

  test('refuses a parameter that it does not know, and one that is said twice', async () => {
    const unknown = await house.admin.get(`${path}?colour=red`)
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      [{ path: 'colour', message: 'is not a field of this request' }],
    ])
    expect((await house.admin.get(`${path}?limit=1&limit=2`)).status).toBe(400)
    expect((await house.admin.get(`${path}?limit[]=1`)).status).toBe(400)
    expect((await house.admin.get(`${path}?__proto__=1`)).status).toBe(400)
    expect((await house.admin.get(`${path}?constructor=1`)).status).toBe(400)
  })

  test.each(cursors)('refuses the cursor %s, or finds nothing behind it', async (cursor) => {
    const { status, body } = await house.admin.get(`${path}?cursor=${cursor}`)
    if (status !== 200) expect([status, body.errors?.[0]?.path]).toEqual([400, 'cursor'])
  })

  test.each(['colour=%00', '%00=1', 'cursor=%00', 'limit=%zz', 'cursor=%ff', 'cursor=%ED%A0%80'])(
    'refuses %s',
    async (query) => {
      expect((await house.admin.get(`${path}?${query}`)).status).toBe(400)
    },
  )
})

test.each([
  '/admin/notifications?subject=incident:99999999999',
  '/admin/notifications?subject=incident',
  '/admin/notifications?key=%00',
  '/admin/workflows?subject=incident',
  '/admin/workflows?subject=1e400',
  '/admin/workflows?status=asleep',
  '/admin/workflows?type=%00',
  '/admin/audit-events?operation=%00',
  '/admin/incidents?view=wide',
  '/admin/incidents?view=full&view=full',
])('%s is refused', async (path) => {
  expect((await house.admin.get(path)).status).toBe(400)
})

test('a write takes nothing from the query', async () => {
  const { status, body } = await house.admin.post('/admin/incidents?title=Down', {})
  expect([status, body.errors[0].path]).toEqual([400, 'title'])
  expect((await house.admin.patch('/admin/page?name=x', {})).status).toBe(400)
  expect((await house.admin.del('/admin/api-tokens/1?force=true')).status).toBe(400)
})

test('what stands in the path is not said again', async () => {
  const { body } = await house.admin.post('/admin/incidents', { title: 'Down' })
  const workflow = `/admin/workflows/incident:${body.id}`
  expect((await house.admin.get(`${workflow}?workflow_id=incident:0`)).status).toBe(400)
  expect((await house.admin.post(`${workflow}/wake`, { workflow_id: 'incident:0' })).status).toBe(400)
})
