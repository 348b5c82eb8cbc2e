import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { categories } from '../../src/domain/presets/rules.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/presets'
const make = async (body: object = {}) => {
  const made = await service.admin.post(path, { title: 'Looking', body: 'We are looking into it.', ...body })
  expect(made.status).toBe(201)
  return made.body
}

describe.each(categories)('a preset of the category %s', (category) => {
  test('is made, read, changed and deleted', async () => {
    const made = await service.admin.post(path, { title: ' Looking ', body: 'We look.', category })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${path}/${made.body.id}`])
    expect(made.body).toEqual({
      id: expect.any(Number),
      title: 'Looking',
      body: 'We look.',
      category,
      auto_post_on_maintenance_start: false,
      auto_post_on_maintenance_completion: false,
      translations: [],
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const one = `${path}/${made.body.id}`
    expect((await service.admin.get(one)).body).toEqual(made.body)
    const changed = await service.admin.patch(one, { body: 'We still look.', version: 1, created_at: 'ignored' })
    expect(changed.body).toMatchObject({ title: 'Looking', body: 'We still look.', category, version: 2 })
    expect((await service.admin.del(one)).status).toBe(200)
    expect((await service.admin.get(one)).status).toBe(404)
  })

  test('is posted by itself only for maintenances', async () => {
    for (const name of ['auto_post_on_maintenance_start', 'auto_post_on_maintenance_completion']) {
      const { status, body } = await service.admin.post(path, { title: 'X', body: 'X', category, [name]: true })
      expect([status, body[name] ?? body.errors[0].path]).toEqual(
        category === 'maintenance' ? [201, true] : [400, name],
      )
    }
  })
})

test('a preset without a category is general', async () => {
  expect((await make()).category).toBe('general')
})

test('a stale version is refused, with the current one', async () => {
  const { id } = await make()
  await service.admin.patch(`${path}/${id}`, { title: 'Searching', version: 1 })
  const { status, body } = await service.admin.patch(`${path}/${id}`, { title: 'Late', version: 1 })
  expect([status, body.code, body.current_version]).toEqual([409, 'version_conflict', 2])
})

test('a preset that leaves the category maintenance stops being posted by itself', async () => {
  const { id } = await make({ category: 'maintenance', auto_post_on_maintenance_start: true })
  const one = `${path}/${id}`
  const refused = await service.admin.patch(one, { category: 'incident' })
  expect([refused.status, refused.body.errors[0]]).toEqual([
    400,
    {
      path: 'auto_post_on_maintenance_start',
      message: 'is allowed only in the category maintenance; the category of this preset is incident',
    },
  ])
  expect((await service.admin.get(one)).body).toMatchObject({ category: 'maintenance', version: 1 })
  const moved = await service.admin.patch(one, { category: 'incident', auto_post_on_maintenance_start: false })
  expect([moved.status, moved.body.version]).toEqual([200, 2])
})

test.each([
  [{ title: ' ' }, 'title'],
  [{ body: '' }, 'body'],
  [{ title: 'x'.repeat(301) }, 'title'],
  [{ body: 'x'.repeat(20_001) }, 'body'],
  [{ category: 'synthetic' }, 'category'],
  [{ auto_post_on_maintenance_start: 'yes' }, 'auto_post_on_maintenance_start'],
  [{ translations: [{ locale: '!', values: {} }] }, 'translations.0.locale'],
  [{ external_id: 'x' }, 'external_id'],
])('%j is refused, in a new one and in a change', async (wrong, where) => {
  const { id } = await make()
  for (const { status, body } of [
    await service.admin.post(path, { title: 'X', body: 'X', ...wrong }),
    await service.admin.patch(`${path}/${id}`, wrong),
  ]) {
    expect([status, body.errors[0].path]).toEqual([400, where])
  }
})

test('the audit holds the changed fields of a preset', async () => {
  const { id } = await make({ title: 'Before' })
  await service.admin.patch(`${path}/${id}`, { title: 'After' })
  const [event] = (await service.admin.get('/admin/audit-events?limit=1')).body.audit_events
  expect(event).toMatchObject({
    operation: 'presets.update',
    subject: { kind: 'preset', id },
    before: { title: 'Before', version: 1 },
    after: { title: 'After', version: 2 },
  })
})

test('presets are written by managers and read by viewers', async () => {
  const viewer = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
  const manager = service.as(await service.token({ permission: 'write', roleKey: 'page_manager' }))
  expect((await viewer.get(path)).status).toBe(200)
  expect((await viewer.post(path, { title: 'X', body: 'X' })).status).toBe(403)
  expect((await viewer.post(`${path}/preview`, { title: 'X', body: 'X' })).status).toBe(403)
  expect((await manager.post(path, { title: 'X', body: 'X' })).status).toBe(201)
})
