import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/incidents'
const de = { locale: 'de', values: { title: 'Ausfall', description: 'Nichts geht.' } }
const fr = { locale: 'fr', values: { title: 'Panne' }, state: 'published' }
const report = async (more: object = {}) => (await service.admin.post(path, { title: 'Down', ...more })).body
const change = (id: number, translations: object[], more: object = {}) =>
  service.admin.patch(`${path}/${id}`, { translations, ...more })
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body

test('an incident is created in two languages, and a translation without a state is a draft', async () => {
  const made = await report({ translations: [fr, de] })
  const expected = [
    { ...de, state: 'draft', version: 1 },
    { ...fr, version: 1 },
  ]
  expect(made.translations).toEqual(expected)
  expect(await read(made.id)).toEqual(made)
  const { incidents } = (await service.admin.get(`${path}?view=full&limit=1`)).body
  expect(incidents[0].translations).toEqual(expected)
  expect((await service.admin.get(`${path}?limit=1`)).body.incidents[0]).not.toHaveProperty('translations')
})

test('a change replaces those that it names, and leaves the others', async () => {
  const { id } = await report({ translations: [de, fr] })
  const values = { title: 'Störung' }
  const { body } = await change(id, [{ locale: 'de', values, version: 1 }])
  expect(body.version).toBe(2)
  expect(body.translations).toEqual([
    { locale: 'de', values, state: 'draft', version: 2 },
    { ...fr, version: 1 },
  ])
  const published = await change(id, [{ locale: 'DE', values, state: 'published' }])
  expect(published.body.translations[0]).toEqual({ locale: 'de', values, state: 'published', version: 3 })
  const kept = await change(id, [{ locale: 'de', values: { impact: 'Alle' } }])
  expect(kept.body.translations[0]).toMatchObject({ values: { impact: 'Alle' }, state: 'published', version: 4 })
})

test('what was read may be sent back, and makes no version stale', async () => {
  const { id, translations } = await report({ translations: [de, fr] })
  expect((await change(id, translations)).body.translations).toEqual(translations)
})

test('null deletes a variant', async () => {
  const { id } = await report({ translations: [de, fr] })
  const { body } = await change(id, [
    { locale: 'de', values: null, version: 1 },
    { locale: 'it', values: null },
  ])
  expect(body.translations).toEqual([{ ...fr, version: 1 }])
})

test('each variant has its own version', async () => {
  const { id } = await report({ translations: [de, fr] })
  await change(id, [{ ...de, values: { title: 'Störung' }, version: 1 }])
  const stale = await change(id, [fr, { ...de, version: 1 }], { title: 'Slow' })
  expect([stale.status, stale.body.code, stale.body.current_version]).toEqual([409, 'version_conflict', 2])
  expect(stale.body.error).toContain('translations.1.version')
  const gone = await change(id, [{ locale: 'it', values: {}, version: 1 }])
  expect([gone.status, gone.body.current_version]).toEqual([409, 0])
  expect(await read(id)).toMatchObject({ title: 'Down', version: 2, translations: [{ version: 2 }, { version: 1 }] })
})

test('PUT by external id makes and replaces, and keeps what it does not name', async () => {
  const put = (body: object) => service.admin.request('PUT', `${path}/external/put`, { title: 'Down', ...body })
  expect((await put({ translations: [de, fr] })).status).toBe(201)
  const { status, body } = await put({ translations: [{ ...fr, values: { title: 'Lent' } }] })
  expect([status, body.translations.map((one: { version: number }) => one.version)]).toEqual([200, [1, 2]])
})

test('a report is the same one again only with the same translations', async () => {
  const post = (translations: object[]) =>
    service.admin.post(path, { title: 'Down', external_id: 'again', translations })
  const made = await post([de])
  const again = await post([de])
  expect([made.status, again.status, again.body]).toEqual([201, 200, made.body])
  const other = await post([fr])
  expect([other.status, other.body.code]).toEqual([409, 'external_id_conflict'])
})

describe('refused', () => {
  test.each([
    [[{ locale: 'de_DE', values: {} }], 'translations.0.locale'],
    [[de, { ...fr, values: { message: 'x' } }], 'translations.1.values.message'],
    [[{ ...de, values: { title: ' ' } }], 'translations.0.values.title'],
    [[{ ...de, values: { title: 'x'.repeat(301) } }], 'translations.0.values.title'],
    [[{ ...de, values: { description: null } }], 'translations.0.values.description'],
    [[{ ...de, state: 'public' }], 'translations.0.state'],
    [[{ ...de, version: 0 }], 'translations.0.version'],
    [[{ ...de, note: 'x' }], 'translations.0.note'],
    [[{ locale: 'de' }], 'translations.0.values'],
    [[de, { ...de, locale: 'DE' }], 'translations'],
    [Array.from({ length: 51 }, (_one, index) => ({ ...de, locale: `en-x-${100 + index}` })), 'translations'],
  ])('%j', async (translations, where) => {
    const { id } = await report()
    for (const { status, body } of [
      await service.admin.post(path, { title: 'Down', translations }),
      await change(id, translations),
    ]) {
      expect([status, body.errors[0].path]).toEqual([400, where])
    }
    expect((await read(id)).translations).toEqual([])
  })

  test('null in a report, which has nothing to delete', async () => {
    const { status, body } = await service.admin.post(path, { title: 'X', translations: [{ ...de, values: null }] })
    expect([status, body.errors[0].path]).toEqual([400, 'translations.0.values'])
  })

  test('more than fifty translations of one record are refused', async () => {
    const many = (from: number) => Array.from({ length: 50 }, (_one, n) => ({ ...de, locale: `en-x-${from + n}` }))
    const { id } = await report({ translations: many(100) })
    const { status, body } = await change(id, many(101))
    expect([status, body.errors[0].path]).toEqual([400, 'translations'])
    expect((await change(id, many(100))).status).toBe(200)
  })

  test('a language that the page does not support, unless to delete what is left of it', async () => {
    const { id } = await report({ translations: [fr] })
    await service.admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
    const refused = await change(id, [de, { ...fr, values: { title: 'Lent' } }])
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: 'translations.1.locale', message: '"fr" must be among supported_locales, which are en, de' }],
    ])
    expect((await change(id, [de, { locale: 'fr', values: null }])).body.translations).toHaveLength(1)
    await service.admin.patch('/admin/settings', { supported_locales: null })
  })
})

test('twenty translators at once lose nothing', async () => {
  const { id } = await report()
  const locales = Array.from({ length: 20 }, (_one, index) => `en-x-${100 + index}`)
  const answers = await Promise.all(locales.map((locale) => change(id, [{ ...de, locale }])))
  expect(answers.map(({ status }) => status)).toEqual(locales.map(() => 200))
  expect((await read(id)).translations.map((one: { locale: string }) => one.locale)).toEqual(locales)
})

test('another page has translations of its own', async () => {
  const { id } = await report({ translations: [de] })
  const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}${path}`
  expect((await service.otherAdmin.get(`${prefix}/${id}`)).status).toBe(404)
  const foreign = await service.otherAdmin.patch(`${prefix}/${id}`, { translations: [fr] })
  expect(foreign.status).toBe(404)
  const { body } = await service.otherAdmin.post(prefix, { title: 'Theirs', translations: [de] })
  expect((await service.admin.get(`${path}/${body.id}`)).status).toBe(404)
  expect((await read(id)).translations).toHaveLength(1)
})
