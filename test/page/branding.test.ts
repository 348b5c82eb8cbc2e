import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { form, html, subscribersOf } from '../api/support/subscribers.ts'
import { axeProblems, openPage, takeScreenshot } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Forms and the 404 page have the title, the logo and the colours of the status page. */

const logo = 'https://cdn.acme.test/logo.png'
const branding = {
  favicon_url: 'https://cdn.acme.test/icon.png',
  custom_css: 'h1{letter-spacing:3px}',
  ...{ site_title: 'Acme <Status>', brand_color_light: '#2b8a3e', brand_color_dark: '#ffd43b', logo_url: logo },
  ...{ multilingual_enabled: true, multilingual_public_ready: true },
  translations: [{ locale: 'de', values: { site_title: 'Firma' }, state: 'published' }],
}
let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T10:00:00Z') })
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Search' })
  const view = { name: 'For buyers', alias: 'buyers', items: [{ id: item.id }], access_mode: 'verified_email' }
  expect((await service.admin.post('/admin/views', view)).status).toBe(201)
  expect((await service.admin.patch('/admin/settings', branding)).status).toBe(200)
})
afterAll(() => service?.close())

const { anyone, active, freshEmail, linksOf, subscribe } = subscribersOf(() => service)
const password = (set: boolean) =>
  service.admin.patch('/admin/page', {
    viewer_auth_mode: set ? 'password' : 'none',
    viewer_password: set ? 'open sesame' : null,
  })

const linkTo = async (name: 'confirm' | 'manage' | 'unsubscribe') => {
  if (name !== 'confirm') return (await linksOf(await active()))[name]
  const email = freshEmail()
  await subscribe(email)
  return (await linksOf(email)).confirm
}

const pages: [
  string,
  (headers: Record<string, string>) => Promise<{ status: number; body: string; headers: Headers }>,
][] = [
  ['the form to subscribe', (headers) => anyone().get('//subscribe', headers)],
  ['the form below the slug', (headers) => anyone().get('//status/first/subscribe', headers)],
  ['a wrong address', (headers) => anyone().post('//subscribe', 'email=x', { ...form, ...headers })],
  ['the confirmation', async (headers) => anyone().get(await linkTo('confirm'), headers)],
  [
    'the confirmed subscription',
    async (headers) => anyone().post(await linkTo('confirm'), '', { ...form, ...headers }),
  ],
  ['the preferences', async (headers) => anyone().get(await linkTo('manage'), headers)],
  [
    'a mistake in the preferences',
    async (headers) => anyone().post(await linkTo('manage'), 'parts=1', { ...form, ...headers }),
  ],
  ['the end of the subscription', async (headers) => anyone().get(await linkTo('unsubscribe'), headers)],
  ['the form of a view', (headers) => anyone().get('//v/buyers', headers)],
  [
    'the form for the password',
    async (headers) => {
      await password(true)
      const answer = await anyone().get('//', headers)
      await password(false)
      return answer
    },
  ],
]

describe.each(pages)('%s', (_name, read) => {
  test('has the title, the logo and the colours of the page', async () => {
    const { body, headers } = await read(html)
    expect(body).toMatch(/<title>[^<]*: Acme &lt;Status&gt;<\/title>/)
    expect(body).toMatch(
      /<header class="top">.*<img class="logo" src="https:\/\/cdn.acme.test\/logo.png".*<bdi>Acme &lt;Status&gt;<\/bdi>/s,
    )
    expect(body).toContain(':root{--brand:#2b8a3e;--on-brand:#000000')
    expect(body).toMatch(
      /@media screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme=light\]\)\{--brand:#ffd43b;--on-brand:#000000/,
    )
    expect(headers.get('content-security-policy')).toContain(`img-src data: ${logo} https://cdn.acme.test/icon.png;`)
    expect(body).toContain('<link rel="icon" href="https://cdn.acme.test/icon.png">')
    expect(body).toContain('h1{letter-spacing:3px}</style>')
    expect(body).not.toContain('First')
  })

  test('has the title in the language of the reader', async () => {
    expect((await read({ ...html, 'Accept-Language': 'de' })).body).toContain('<bdi>Firma</bdi>')
  })
})

test('the 404 page leads to the page by its title, in its colours', async () => {
  const { status, body } = await anyone().get('//nothing-here', html)
  expect([status, body]).toEqual([404, expect.stringContaining('<a href="/">Acme &lt;Status&gt;</a>')])
  expect(body).toContain('--brand:#2b8a3e')
})

test('nothing shows the branding of a private page', async () => {
  await service.admin.patch('/admin/page', { visibility: 'private' })
  for (const path of ['//nothing-here', '//subscribe', '//status/first/subscribe', '//v/buyers', '//']) {
    const { status, body } = await anyone().get(path, html)
    expect([path, status]).toEqual([path, 404])
    expect(body).not.toMatch(/Acme|Firma|First|2b8a3e|acme\.test/)
  }
  await service.admin.patch('/admin/page', { visibility: 'public' })
})

test('a page without a title has its name, and a fixed theme is kept', async () => {
  await service.admin.patch('/admin/settings', { site_title: '', public_theme_profile: { color_scheme: 'dark' } })
  const { body } = await anyone().get('//subscribe', html)
  expect(body).toContain('<bdi>First</bdi>')
  expect(body).toContain('<html lang="en" dir="ltr" data-theme="dark">')
  const profile = { site_title: branding.site_title, public_theme_profile: { color_scheme: 'auto' } }
  await service.admin.patch('/admin/settings', profile)
})

test.each([false, true])('forms are legible, dark: %s', async (dark) => {
  for (const path of ['/subscribe', '/v/buyers', `/api/v1${await linkTo('manage')}`]) {
    const page = await openPage(service, path, { width: 500, dark, bypassCSP: true })
    await takeScreenshot(page, `branded-${path.split('/').at(-1)?.slice(0, 9)}-${dark}`)
    expect([path, await axeProblems(page)]).toEqual([path, []])
    await page.context().close()
  }
})
