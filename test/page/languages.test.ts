import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const read = async (path: string) => (await fetch(`${service.url}${path}`)).text()
const languageOf = async (path: string) => /<html lang="([^"]*)"/.exec(await read(path))![1]
const settings = (fields: object) => service.admin.patch('/admin/settings', fields)

test('readers choose each supported language of a page without translations, once it is ready', async () => {
  await settings({ supported_locales: ['en', 'fr', 'nl'], multilingual_enabled: true })
  expect(await languageOf('/?locale=fr')).toBe('en')
  await settings({ multilingual_public_ready: true })
  const [english, french, dutch] = await Promise.all(['/', '/?locale=fr', '/?locale=nl'].map(read))
  for (const locale of ['en', 'fr', 'nl']) expect(english).toContain(`hreflang="${locale}"`)
  expect(french).toMatch(/<html lang="fr"/)
  expect(french).toContain('Tous les systèmes sont opérationnels')
  // The service has no Dutch labels.
  expect(dutch).toMatch(/<html lang="en"/)
  const { headers } = await fetch(`${service.url}/api/v1/incidents?locale=nl`)
  expect(headers.get('content-language')).toBe('nl')
})

test('a page that names no languages has those with published translations', async () => {
  await settings({ supported_locales: [] })
  expect(await languageOf('/?locale=fr')).toBe('en')
  await settings({ translations: [{ locale: 'fr', values: { site_title: 'Acme' }, state: 'published' }] })
  expect(await languageOf('/?locale=fr')).toBe('fr')
})

test('a page in another language is the same page', async () => {
  await settings({ supported_locales: ['en', 'fr'] })
  const frenchOf = async (path: string) =>
    [...(await read(path)).matchAll(/(?:hreflang="fr" href|<a href)="([^"]*locale=fr)"/g)].map(([, href]) => href)
  for (const path of ['/history?month=2026-10', '/search?q=card', '/?view=basic', '/?items=all']) {
    // In the head and in the footer.
    expect(await frenchOf(path)).toEqual([`${path}&amp;locale=fr`, `${path}&amp;locale=fr`])
  }
  expect(await read('/subscribe?locale=fr')).toContain('<a href="/status/first?locale=fr">')
})

describe('the forms have links to themselves in each language of the page', () => {
  const links = (body: string) =>
    [...body.matchAll(/<a href="([^"]*)"[^>]* hreflang="([^"]*)"/g)].map(([, href]) => href)
  beforeAll(async () => {
    await settings({ supported_locales: ['en', 'fr'], multilingual_enabled: true, multilingual_public_ready: true })
  })

  test('the form to subscribe', async () => {
    const english = await read('/subscribe')
    expect(links(english)).toEqual(['/subscribe?locale=en', '/subscribe?locale=fr'])
    const french = await read('/subscribe?locale=fr')
    expect(french).toMatch(/<html lang="fr"/)
    expect(french).toMatch(/hreflang="fr" aria-current="true"/)
    expect(links(french)).toEqual(links(english))
  })

  test('the form of the password, also after a wrong one', async () => {
    await service.admin.patch('/admin/page', { viewer_auth_mode: 'password', viewer_password: 'correct horse' })
    const form = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${service.url}${path}`, { ...init, headers: { Accept: 'text/html' } })).text()
    const expected = ['/history?days=3&amp;locale=en', '/history?days=3&amp;locale=fr']
    expect(links(await form('/history?days=3'))).toEqual(expected)
    const body = new URLSearchParams({ path: '/history?days=3&locale=fr', password: 'wrong' })
    const again = await form('/', { method: 'POST', body })
    expect(again).toMatch(/<html lang="fr"/)
    expect(links(again)).toEqual(expected)
  })
})
