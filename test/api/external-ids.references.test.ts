import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { routes } from '../../src/api/routes/index.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Where a request may name a record by a number it may name the record by its external id, alone or together with the number. */

let service: TestService
let top: number
let other: number
beforeAll(async () => {
  service = await openTestService()
  top = (await service.admin.post('/admin/hierarchy/items', { name: 'Top', external_id: 'top' })).body.id
  other = (await service.admin.post('/admin/hierarchy/items', { name: 'Other', external_id: 'other' })).body.id
})
afterAll(() => service.close())

const item = async (body: object) => service.admin.post('/admin/hierarchy/items', { name: 'Below', ...body })
const put = (path: string, body: object) => service.admin.request('PUT', `/admin${path}`, body)

describe('the parent of an item', () => {
  test('a create, a change, a PUT and a move accept the external id of the parent', async () => {
    const { body } = await item({ parent: { external_id: 'top' }, external_id: 'below' })
    expect([body.parent_id, body.depth]).toEqual([top, 2])
    const path = `/admin/hierarchy/items/${body.id}`
    const moved = await service.admin.patch(path, { parent: { slug: 'other' } })
    expect([moved.body.parent_id, moved.body.version]).toEqual([other, 2])
    expect((await service.admin.patch(path, { parent: { external_id: 'other' }, name: 'B' })).body.parent_id).toBe(
      other,
    )
    expect((await service.admin.patch(path, { parent: null, depth: 1 })).body).not.toHaveProperty('parent_id')
    expect((await service.admin.post(`${path}/move`, { depth: 2, parent: { id: top } })).body.parent_id).toBe(top)
    const replaced = await put('/hierarchy/items/external/below', { name: 'B', parent: { external_id: 'other' } })
    expect(replaced.body.parent_id).toBe(other)
  })

  test.each<[string, object, string]>([
    ['another id', { parent_id: 1, parent: { external_id: 'other' } }, 'parent'],
    ['an unknown external id', { parent: { external_id: 'nothing' } }, 'parent'],
    ['nothing', { parent: {} }, 'parent'],
  ])('is refused with %s', async (_what, body, path) => {
    const { status, body: answer } = await item(body)
    expect([status, answer.errors[0].path]).toEqual([400, path])
  })

  test('a validation accepts the external ids of the parent and of the item', async () => {
    const validate = async (body: object) => (await service.admin.post('/admin/hierarchy/validate', body)).body
    expect(await validate({ item: { external_id: 'top' }, parent: { external_id: 'other' } })).toMatchObject({
      valid: true,
    })
    expect(await validate({ item: { external_id: 'top' }, parent: { external_id: 'top' } })).toMatchObject({
      valid: false,
    })
    expect((await validate({ item: { external_id: 'top' }, item_id: other })).errors[0].path).toBe('item')
  })
})

const beat = {
  ...{ name: 'B', type: 'http', target: { url: 'https://example.com/' } },
  threshold_policies: { critical_rule: { consecutive_failures: 3 } },
}

describe('beats and groups of beats', () => {
  test('a beat names its group', async () => {
    const { body: group } = await service.admin.post('/admin/beat-groups', { name: 'G', external_id: 'g' })
    const made = await service.admin.post('/admin/beats', { ...beat, beat_group: { external_id: 'g' } })
    expect(made.body.beat_group_id).toBe(group.id)
    const path = `/admin/beats/${made.body.id}`
    expect((await service.admin.patch(path, { beat_group: null })).body).not.toHaveProperty('beat_group_id')
    const both = { beat_group_id: group.id, beat_group: { id: group.id, external_id: 'g' } }
    expect((await service.admin.patch(path, both)).body.beat_group_id).toBe(group.id)
    for (const wrong of [
      { beat_group: { external_id: 'nothing' } },
      { beat_group_id: null, beat_group: { external_id: 'g' } },
      { beat_group: { id: group.id + 1, external_id: 'g' } },
    ]) {
      const { status, body } = await service.admin.patch(path, wrong)
      expect([status, body.errors[0].path]).toEqual([400, 'beat_group'])
    }
  })

  test('a group names its members', async () => {
    const [one, two] = [
      (await service.admin.post('/admin/beats', { ...beat, external_id: 'one' })).body.id,
      (await service.admin.post('/admin/beats', { ...beat, external_id: 'two' })).body.id,
    ]
    const { body: group } = await service.admin.post('/admin/beat-groups', {
      name: 'G',
      external_id: 'members',
      members: [{ external_id: 'one' }],
    })
    expect(group.member_monitor_ids).toEqual([one])
    const path = `/admin/beat-groups/${group.id}`
    expect((await service.admin.patch(path, { ...group, member_monitor_ids: [one, two] })).body.version).toBe(2)
    const set = await put(`/beat-groups/external/members/members`, { members: [{ id: two, external_id: 'two' }] })
    expect(set.body.member_monitor_ids).toEqual([two])
    const replaced = await put('/beat-groups/external/members', { name: 'G', members: [{ external_id: 'one' }] })
    expect(replaced.body.member_monitor_ids).toEqual([one])
    for (const [body, path] of [
      [{ members: [{ external_id: 'nothing' }] }, 'members.0'],
      [{ members: [{ id: one, external_id: 'two' }] }, 'members.0'],
      [{ member_monitor_ids: [two], members: [] }, 'members'],
      [{}, 'member_monitor_ids'],
    ] as const) {
      const { status, body: answer } = await put('/beat-groups/external/members/members', body)
      expect([status, answer.errors[0].path]).toEqual([400, path])
    }
  })
})

test('every route of a record that has an external id is reached by the external id, too', () => {
  const kinds = ['incidents', 'maintenances', 'maintenance-series', 'hierarchy/items', 'beats', 'beat-groups']
  const paths = routes.filter(({ door }) => door === 'admin').map(({ method, path }) => `${method} ${path}`)
  const named = paths.filter((path) => kinds.some((kind) => path.includes(` /${kind}/{id}`)))
  expect(named.length).toBeGreaterThan(50)
  const twins = named.map((path) => path.replace('/{id}', '/external/{external_id}'))
  expect(twins.filter((path) => !paths.includes(path))).toEqual([])
})

test('the metadata of an item is bounded', async () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
  for (const metadata of [{ a: 'x'.repeat(16_400) }, { a: 'é'.repeat(8_200) }, nested(9)]) {
    const { status, body } = await item({ metadata })
    expect([status, body.errors[0].path]).toEqual([400, 'metadata'])
  }
  expect((await item({ metadata: { a: 'x'.repeat(16_000), b: nested(7) } })).status).toBe(201)
})

test('the refusal of a PATCH that would archive an item names the right request', async () => {
  const { status, body } = await service.admin.patch(`/admin/hierarchy/items/${top}`, { archived: true })
  expect([status, body.errors]).toEqual([
    400,
    [{ path: 'archived', message: 'must be false: DELETE with `?archive=true` archives an item' }],
  ])
})
