import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/presets'
const de = { locale: 'de', values: { title: 'Wir suchen', body: '{{Incident-Title}}: wir suchen.' } }
const make = (more: object = {}) =>
  service.admin.post(path, { title: 'Looking', body: 'We look.', category: 'incident', translations: [de], ...more })

test('a preset is written in two languages, and read in full', async () => {
  const { status, body } = await make()
  expect([status, body.translations]).toEqual([201, [{ ...de, state: 'draft', version: 1 }]])
  expect((await service.admin.get(`${path}/${body.id}`)).body).toEqual(body)
  expect((await service.admin.get(`${path}?view=full&limit=1`)).body.presets).toEqual([body])
  expect((await service.admin.get(`${path}?limit=1`)).body.presets[0]).not.toHaveProperty('translations')
})

test('a change publishes, replaces and deletes, with versions', async () => {
  const { id } = (await make()).body
  const change = (variant: object) => service.admin.patch(`${path}/${id}`, { translations: [variant] })
  const published = await change({ ...de, state: 'published', version: 1 })
  expect(published.body).toMatchObject({ version: 2, translations: [{ state: 'published', version: 2 }] })
  const stale = await change({ ...de, version: 1 })
  expect([stale.status, stale.body.code, stale.body.current_version]).toEqual([409, 'version_conflict', 2])
  expect((await change({ locale: 'de', values: null })).body.translations).toEqual([])
})

test('a variable that the category does not have is refused in any language', async () => {
  const values = { title: '{{Nonsense}}' }
  const expected = [{ path: 'translations.0.values.title', message: expect.stringMatching(/^\{\{Nonsense\}\} is not/) }]
  const refused = await make({ translations: [{ locale: 'fr', values }] })
  expect([refused.status, refused.body.errors]).toEqual([400, expected])
  const { id } = (await make()).body
  const changed = await service.admin.patch(`${path}/${id}`, { translations: [{ locale: 'fr', values }] })
  expect([changed.status, changed.body.errors]).toEqual([400, expected])
})

test('a category does not change under a translation that needs the old one', async () => {
  const { id } = (await make()).body
  const refused = await service.admin.patch(`${path}/${id}`, { category: 'general' })
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'category'])
  expect(refused.body.error).toContain('the translation in de')
  const translations = [{ locale: 'de', values: { title: 'Wir suchen' } }]
  expect((await service.admin.patch(`${path}/${id}`, { category: 'general', translations })).status).toBe(200)
})

test.each([
  [{ message: 'x' }, 'message'],
  [{ category: 'incident' }, 'category'],
  [{ body: '' }, 'body'],
  [{ title: 'x'.repeat(301) }, 'title'],
])('%j is refused', async (values, field) => {
  const { status, body } = await make({ translations: [{ locale: 'de', values }] })
  expect([status, body.errors[0].path]).toEqual([400, `translations.0.values.${field}`])
})

test('a deleted preset leaves nothing behind', async () => {
  const { id } = (await make()).body
  await service.admin.del(`${path}/${id}`)
  const left = await service.services.system.em
    .fork()
    .execute(`select 1 from localized_variant where subject_kind = 'preset' and subject_id = ?`, [id])
  expect(left).toEqual([])
})
