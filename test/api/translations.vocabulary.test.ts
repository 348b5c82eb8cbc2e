import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Items, status types, lifecycle stages and settings are translated with the same rules as incidents. */

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const de = { locale: 'de', values: { name: 'Suche', description: 'Findet.' } }

const kinds: [string, string, object][] = [
  ['an item', '/admin/hierarchy/items', { name: 'Search' }],
  ['a status type', '/admin/status-types', { key: 'slow', name: 'Slow' }],
  ['a stage of incidents', '/admin/lifecycle-stages/incident', { name: 'Testing' }],
  ['a stage of maintenances', '/admin/lifecycle-stages/maintenance', { name: 'Testing' }],
]

describe.each(kinds)('%s', (_what, path, body) => {
  let at = ''
  test('is created in two languages', async () => {
    const created = await service.admin.post(path, { ...body, translations: [de] })
    expect([created.status, created.body.translations]).toEqual([201, [{ ...de, state: 'draft', version: 1 }]])
    at = `${path}/${created.body.id}`
    expect((await service.admin.get(at)).body.translations).toEqual(created.body.translations)
    const listed = Object.values((await service.admin.get(path)).body).find(Array.isArray)!
    expect(listed.find(({ id }) => id === created.body.id).translations).toEqual(created.body.translations)
  })

  test('a change publishes a variant and raises the version of the record', async () => {
    const { version } = (await service.admin.get(at)).body
    const { status, body } = await service.admin.patch(at, { translations: [{ ...de, state: 'published' }] })
    expect([status, body.version]).toEqual([200, version + 1])
    expect(body.translations).toEqual([{ ...de, state: 'published', version: 2 }])
    const same = await service.admin.patch(at, body)
    expect([same.status, same.body.version]).toEqual([200, version + 1])
    const stale = await service.admin.patch(at, { translations: [{ ...de, version: 1 }] })
    expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
  })

  test('a text that is too long, or of another field, is refused', async () => {
    const refused = await service.admin.patch(at, {
      translations: [
        { locale: 'de', values: { name: 'x'.repeat(201) } },
        { locale: 'fr', values: { slug: 'recherche' } },
      ],
    })
    expect([refused.status, refused.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['translations.0.values.name', 'translations.1.values.slug'],
    ])
  })

  test('takes its translations along when it is deleted', async () => {
    expect((await service.admin.del(at)).status).toBe(200)
    const left = await service.services.system.em
      .fork()
      .execute('select subject_kind from localized_variant where subject_id = ?', [Number(at.split('/').at(-1))])
    expect(left).toEqual([])
  })
})

test('a PUT writes the translations of an item', async () => {
  const put = (translations: object[]) =>
    service.admin.request('PUT', '/admin/hierarchy/items/external/search', { name: 'Search', translations })
  expect((await put([de])).body).toMatchObject({ version: 1, translations: [de] })
  expect((await put([{ locale: 'de', values: null }])).body).toMatchObject({ version: 2, translations: [] })
})

test('a search of items finds a published name', async () => {
  await service.admin.post('/admin/hierarchy/items', {
    ...{ name: 'Mail', translations: [{ locale: 'de', values: { name: 'Briefkasten' }, state: 'published' }] },
  })
  const { items } = (await service.admin.get('/admin/hierarchy/items?search=briefk')).body
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Mail'])
})

describe('the settings', () => {
  const links = [
    { label: 'Help', url: '/help', new_tab: false },
    { label: 'Shop', url: '/shop', new_tab: false },
  ]
  const values = { site_title: 'Zustand', footer_text: 'Fuß', link_labels: { Help: 'Hilfe' } }
  const variant = { locale: 'de', values, state: 'published' }

  test('are translated, the labels of links by their original labels', async () => {
    const words = { site_title: 'State', header_navigation_links: links, footer_navigation_links: links }
    const offer = { multilingual_enabled: true, multilingual_public_ready: true }
    const { status, body } = await service.admin.patch('/admin/settings', {
      ...{ ...words, ...offer },
      translations: [variant],
    })
    expect([status, body.translations]).toEqual([200, [{ ...variant, version: 1 }]])
    expect((await service.admin.get('/admin/settings')).body).toEqual(body)
    const again = await service.admin.patch('/admin/settings', body)
    expect([again.status, again.body.version]).toEqual([200, body.version])
  })

  test.each([
    [{ 'Accept-Language': 'de-AT' }, 'de', 'Zustand', 'Hilfe'],
    [{ 'Accept-Language': 'fr' }, 'en', 'State', 'Help'],
  ])('are read by the public for %j', async (headers, language, site_title, label) => {
    const { body, headers: answered } = await service.as(undefined).get('/pages/public/first/settings', headers)
    expect(answered.get('content-language')).toBe(language)
    const shown = [{ ...links[0], label }, links[1]]
    expect(body).toMatchObject({ site_title, header_navigation_links: shown, footer_navigation_links: shown })
    expect(body).not.toHaveProperty('translations')
  })

  test.each([
    [{ document_locale: 'de' }, 'document_locale'],
    [{ link_labels: { Help: '' } }, 'link_labels.Help'],
    [{ link_labels: { Help: ' ' } }, 'link_labels.Help'],
    [{ site_title: 'x'.repeat(201) }, 'site_title'],
  ])('%j is refused', async (wrong, field) => {
    const { status, body } = await service.admin.patch('/admin/settings', {
      translations: [{ locale: 'de', values: wrong }],
    })
    expect([status, body.errors[0].path]).toEqual([400, `translations.0.values.${field}`])
  })
})
