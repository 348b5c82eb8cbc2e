import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const create = (body: object) => service.admin.post('/admin/hierarchy/items', body)
const make = async (body: object) => (await create(body)).body

test('a new page has three levels', async () => {
  const { body } = await service.admin.get('/admin/hierarchy/levels')
  expect(body.levels.map((level: { singular: string }) => level.singular)).toEqual(['Product', 'Service', 'Component'])
  expect(body.total).toBe(3)
})

test('an item keeps what it is given, and gets the rest', async () => {
  const parent = await make({ name: 'Shop' })
  const said = {
    name: 'Checkout & Pay',
    abbreviated_name: 'Pay',
    description: 'Where money comes in.',
    external_id: 'svc/checkout',
    display_order: 7,
    metadata: { team: 'payments', tiers: [1, 2.5], owner: { on_call: true, none: null } },
    start_date: '2025-01-01T00:00:00.000Z',
  }
  const { status, body, headers } = await create({ ...said, parent_id: parent.id })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...said,
    parent_id: parent.id,
    depth: 2,
    slug: 'checkout-pay',
    hierarchy_path: 'Shop / Checkout & Pay',
    status: 'operational',
    version: 1,
  })
  expect((await service.admin.get(headers.get('location')!.replace('/api/v1', ''))).body).toEqual(body)
  expect((await service.admin.get('/admin/hierarchy/items/external/svc%2Fcheckout')).body).toEqual(body)
})

describe('the place', () => {
  test('is one level below the parent', async () => {
    const top = await make({ name: 'Top' })
    const middle = await make({ name: 'Middle', parent_id: top.id, depth: 2 })
    const bottom = await make({ name: 'Bottom', parent_id: middle.id })
    expect([top.depth, middle.depth, bottom.depth]).toEqual([1, 2, 3])
    expect(bottom.hierarchy_path).toBe('Top / Middle / Bottom')
    for (const wrong of [
      { name: 'x', parent_id: bottom.id },
      { name: 'x', depth: 2 },
      { name: 'x', parent_id: top.id, depth: 3 },
      { name: 'x', depth: 21 },
    ]) {
      const { status, body } = await create(wrong)
      expect([status, body.errors[0].path]).toEqual([400, 'depth'])
    }
  })

  test.each([999_999, 0, '1', null])('below parent %j there is none', async (parent_id) => {
    const { status, body } = await create({ name: 'x', parent_id })
    expect([status, body.errors[0].path]).toEqual([400, 'parent_id'])
  })

  test('is not below another page’s item', async () => {
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    const { body: theirs } = await service.otherAdmin.post(`${prefix}/hierarchy/items`, { name: 'Theirs' })
    expect((await create({ name: 'x', parent_id: theirs.id })).status).toBe(400)
  })
})

describe('the slug', () => {
  test('is made from the name, and numbered when it is taken', async () => {
    const slugs = [
      await make({ name: 'Ünïcode  Ñame!' }),
      await make({ name: 'unicode name' }),
      await make({ name: '日本' }),
    ]
    expect(slugs.map((item) => item.slug)).toEqual(['unicode-name', 'unicode-name-2', 'item'])
  })

  test('that is named must be free', async () => {
    await make({ name: 'x', slug: 'mine' })
    const { status, body } = await create({ name: 'y', slug: 'mine' })
    expect([status, body.code]).toEqual([409, 'conflict'])
  })

  test('twenty of the same name at once get twenty slugs and places', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Same' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(20)
    expect(new Set(answers.map(({ body }) => body.display_order)).size).toBe(20)
  })
})

test('the list goes level by level, in display order, page by page', async () => {
  const walked: { id: number; depth: number; display_order: number }[] = []
  for (let cursor = ''; ; ) {
    const { body } = await service.admin.get(`/admin/hierarchy/items?limit=7${cursor && `&cursor=${cursor}`}`)
    walked.push(...body.items)
    if (!body.next_cursor) {
      expect(walked).toHaveLength(body.total)
      break
    }
    cursor = body.next_cursor
  }
  expect(new Set(walked.map((item) => item.id)).size).toBe(walked.length)
  const sorted = walked.toSorted((a, b) => a.depth - b.depth || a.display_order - b.display_order || a.id - b.id)
  expect(walked).toEqual(sorted)
})
