import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Caller } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let anyone: Caller
let id: number
const on = { multilingual_enabled: true, multilingual_public_ready: true }
const set = (settings: object) => service.admin.patch('/admin/settings', settings)
const published = (locale: string, values: object) => ({ locale, values, state: 'published' })
beforeAll(async () => {
  service = await openTestService()
  anyone = service.as(undefined)
  const { body } = await service.admin.post('/admin/incidents', {
    title: 'Down',
    description: 'Nothing works.',
    affected_items_freetext: 'All of Asia',
    translations: [
      published('de', { title: 'Ausfall', description: 'Nichts geht.', affected_items_freetext: 'Ganz Asien' }),
      published('de-CH', { title: 'Usfall' }),
      { locale: 'fr', values: { title: 'Brouillon' } },
    ],
  })
  id = body.id
  const updates = `/admin/incidents/${id}/updates`
  await service.admin.post(updates, { message: 'One.', translations: [published('de', { message: 'Eins.' })] })
  await service.admin.post(updates, { message: 'Two.', translations: [{ locale: 'de', values: { message: 'Zwei.' } }] })
})
beforeEach(() => set({ ...on, document_locale: null, supported_locales: null }))
afterAll(() => service.close())

const reading = (language: string) => ({ 'Accept-Language': language })
const readIn = async (language: string, query = '') => {
  const { body, headers } = await anyone.get(`/incidents/${id}${query}`, reading(language))
  return { title: body.title, language: headers.get('content-language'), vary: headers.get('vary'), body }
}

describe('an incident is read', () => {
  test.each([
    ['', '', 'Down', 'en'],
    ['de', '', 'Ausfall', 'de'],
    ['de-AT, en;q=0.5', '', 'Ausfall', 'de'],
    ['de-CH', '', 'Usfall', 'de-CH'],
    ['en, de', '', 'Down', 'en'],
    ['it, de;q=0.1', '', 'Ausfall', 'de'],
    ['', '?locale=de', 'Ausfall', 'de'],
    ['en', '?locale=DE-at', 'Ausfall', 'de'],
    ['de', '?locale=en', 'Down', 'en'],
    ['de', '?locale=it', 'Ausfall', 'de'],
    // What is a draft in it is no language of the page.
    ['fr', '', 'Down', 'en'],
    ['', '?locale=fr', 'Down', 'en'],
  ])('with Accept-Language "%s" and "%s" as %s, in %s', async (header, query, title, language) => {
    expect(await readIn(header, query)).toMatchObject({ title, language, vary: 'Accept-Language, Accept-Encoding' })
  })

  test('each field comes from the requested language, from the more general language, or from the original', async () => {
    const { body } = await readIn('de-CH')
    expect(body).toMatchObject({ title: 'Usfall', description: 'Nichts geht.', affected_items_freetext: 'Ganz Asien' })
    expect(body.updates.map((update: { message: string }) => update.message)).toEqual(['Two.', 'Eins.'])
  })

  test('without what only those who write it need', async () => {
    const { body } = await readIn('de')
    expect(JSON.stringify(body)).not.toMatch(/translations|Brouillon|Zwei/)
  })

  test('in a language as soon as it is published', async () => {
    const publish = (state: string) =>
      service.admin.patch(`/admin/incidents/${id}`, {
        translations: [{ locale: 'fr', values: { title: 'Panne' }, state }],
      })
    expect((await readIn('fr')).title).toBe('Down')
    await publish('published')
    expect(await readIn('fr')).toMatchObject({ title: 'Panne', language: 'fr' })
    await publish('draft')
    expect(await readIn('fr')).toMatchObject({ title: 'Down', language: 'en' })
  })
})

test('a list is in the language too, and goes on in it', async () => {
  const compact = await anyone.get('/incidents', reading('de-AT'))
  expect(compact.body.incidents[0]).toMatchObject({ title: 'Ausfall', description: 'Nichts geht.' })
  expect(compact.body.incidents[0]).not.toHaveProperty('affected_items_freetext')
  expect(compact.headers.get('content-language')).toBe('de')
  await service.admin.post('/admin/incidents', { title: 'Newer' })
  const first = await anyone.get('/incidents?view=full&limit=1', reading('de-AT'))
  const next = /<\/api\/v1([^>]+)>/.exec(first.headers.get('link')!)![1]!
  expect(new URLSearchParams(next.split('?')[1]).get('locale')).toBe('de')
  expect((await anyone.get(next)).body.incidents[0]).toMatchObject({ title: 'Ausfall', affected_items: [] })
})

test.each(['locale=de_DE', 'locale=', 'locale=de&locale=fr', `locale=${'x'.repeat(36)}`])(
  '?%s is refused',
  async (query) => {
    for (const path of ['/incidents', `/incidents/${id}`]) {
      const { status, body } = await anyone.get(`${path}?${query}`)
      expect([status, body.errors[0].path]).toEqual([400, 'locale'])
    }
  },
)

describe('while the page has one language', () => {
  test.each([{ multilingual_enabled: false }, { multilingual_public_ready: false }])('%j', async (off) => {
    await set({ ...off, document_locale: 'en-GB' })
    for (const query of ['', '?locale=de']) {
      expect(await readIn('de', query)).toMatchObject({ title: 'Down', language: 'en-GB' })
    }
    const { headers } = await anyone.get('/incidents?limit=1&locale=de', reading('de'))
    expect(headers.get('link')).not.toContain('locale')
  })
})

test('a language that the page does not support any more is not offered', async () => {
  await set({ supported_locales: ['en', 'de-CH'] })
  expect(await readIn('de')).toMatchObject({ title: 'Down', language: 'en' })
  expect(await readIn('de-CH')).toMatchObject({ title: 'Usfall', language: 'de-CH' })
})

describe('what is kept', () => {
  test('is kept for each language, and never mixed up', async () => {
    const path = `/incidents/${id}`
    const german = await anyone.get(path, reading('de'))
    const english = await anyone.get(path, reading('en'))
    const tags = [german, english].map(({ headers }) => headers.get('etag'))
    expect(new Set(tags).size).toBe(2)
    for (const header of ['de-AT', 'de;q=0.3', 'it, de']) {
      const { headers, body } = await anyone.get(path, reading(header))
      expect([headers.get('etag'), body.title]).toEqual([tags[0], 'Ausfall'])
    }
    const known = await anyone.get(path, { ...reading('de'), 'If-None-Match': tags[0]! })
    expect([known.status, known.headers.get('content-language'), known.headers.get('vary')]).toEqual([
      304,
      'de',
      'Accept-Language, Accept-Encoding',
    ])
    expect((await anyone.get(path, { ...reading('en'), 'If-None-Match': tags[0]! })).status).toBe(200)
  })

  test('is asked of the database once for a language, whatever readers ask for', async () => {
    let made = 0
    const { observeOperation } = service.services
    service.services.observeOperation = (name, ...rest) => {
      if (name === 'public.incidents.list') made += 1
      observeOperation(name, ...rest)
    }
    await set({ ...on })
    for (let n = 0; n < 20; n += 1) {
      await anyone.get(`/incidents?locale=de-x-${n}`, reading(`en;q=0.${n}`))
      await anyone.get('/incidents', reading(`de-x-${n}, en;q=0.1`))
    }
    service.services.observeOperation = observeOperation
    expect(made).toBe(1)
  })
})

describe.each(['//', '//status/first'])('the page at %s', (path) => {
  test.each([
    ['de-AT, en;q=0.5', '', 'de', 'Ausfall'],
    ['en', '', 'en', 'Down'],
    ['en', '?locale=de', 'de', 'Ausfall'],
    ['de', '?locale=nonsense_', 'de', 'Ausfall'],
    ['de', '?locale=en&utm_source=mail', 'en', 'Down'],
  ])('for "%s" and "%s" is in %s', async (header, query, language, title) => {
    const { status, body, headers } = await anyone.get(path + query, reading(header))
    expect([status, headers.get('content-language'), headers.get('vary')]).toEqual([
      ...[200, language],
      'Accept-Language, Accept-Encoding',
    ])
    expect(body).toContain(`<html lang="${language}" dir="ltr"`)
    expect(body).toContain(`<h3 dir="auto">${title}</h3>`)
    expect(body).not.toContain('Brouillon')
  })

  test('has one language while the page has one', async () => {
    await set({ multilingual_enabled: false, document_locale: 'fr' })
    const { body, headers } = await anyone.get(path, reading('de'))
    expect(headers.get('content-language')).toBe('fr')
    expect(body).toContain('<html lang="fr" dir="ltr"')
    expect(body).toContain('<h3 dir="auto">Down</h3>')
  })
})

describe('a search finds what is published in whatever language', () => {
  const found = async (who: Caller, at: string, words: string) =>
    (await who.get(`${at}?search=${encodeURIComponent(words)}`)).body.total

  test.each([
    ['ausfall', 1],
    ['ganz asien', 1],
    ['usfall', 1],
    ['down', 1],
    ['Brouillon', 0],
    ['title', 0],
    ['Eins', 0],
  ])('%s: %i', async (words, total) => {
    expect(await found(service.admin, '/admin/incidents', words)).toBe(total)
    expect(await found(anyone, '/incidents', words)).toBe(total)
  })

  test('readers who are given no translations find nothing by them', async () => {
    await set({ multilingual_public_ready: false })
    expect(await found(anyone, '/incidents', 'Ausfall')).toBe(0)
    expect(await found(anyone, '/incidents', 'Down')).toBe(1)
    expect(await found(service.admin, '/admin/incidents', 'Ausfall')).toBe(1)
  })
})

test('a report is read in the language of the reader, field by field', async () => {
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  const report = {
    title: 'What happened',
    body: 'A cable.',
    translations: [published('de', { title: 'Was war' }), { locale: 'fr', values: { body: 'Un câble.' } }],
  }
  expect((await service.admin.request('PUT', `/admin/incidents/${id}/report`, report)).status).toBe(201)
  await service.admin.post(`/admin/incidents/${id}/report/publish`)
  const shown = async (language: string) => (await readIn(language)).body.report
  expect(await shown('de')).toMatchObject({ title: 'Was war', body: 'A cable.' })
  expect(await shown('fr')).toMatchObject({ title: 'What happened', body: 'A cable.' })
  const list = await anyone.get('/incidents?view=full&locale=de')
  const listed = list.body.incidents.find((incident: { id: number }) => incident.id === id)
  expect(listed.report).toMatchObject({ title: 'Was war' })
  expect(listed.report).not.toHaveProperty('translations')
})
