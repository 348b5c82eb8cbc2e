import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { directionOf, labelsFor, languages } from '../../src/languages/labels.ts'
import { axeProblems, horizontalOverflow, openPage } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { form, html, subscribersOf } from './support/subscribers.ts'

/** The pages of subscribers are in the language of the subscriber, else in the language of the browser. */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T10:00:00Z') })
})
afterAll(() => service.close())

const { anyone, active, freshEmail, linksOf, subscribe, subscriberOf, wait } = subscribersOf(() => service)
const reading = (locale: string, more: object = html) => ({ ...more, 'Accept-Language': locale })

describe.each(Object.keys(languages))('in %s', (locale) => {
  const { text } = labelsFor(locale)
  const opening = `<html lang="${locale}" dir="${directionOf(locale)}">`

  test('the form to subscribe, its answers and the pages of links', async () => {
    const at = `//status/${service.page.public_slug}/subscribe`
    const shown = await anyone().get(at, reading(locale))
    expect(shown.body).toContain(opening)
    expect(shown.body).toContain(text('subscription.subscribe.title'))
    expect(shown.headers.get('vary')).toContain('Accept-Language')
    const wrong = await anyone().post(at, 'email=nonsense', reading(locale, form))
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.stringContaining(text('subscription.subscribe.wrong_email')),
    ])
    const email = freshEmail()
    await subscribe(email)
    const { confirm } = await linksOf(email)
    const links = { ...(await linksOf(await active())), confirm }
    for (const name of ['confirm', 'unsubscribe', 'manage'] as const) {
      const { body } = await anyone().get(links[name], reading(locale))
      expect(body).toContain(opening)
      expect(body).toContain(`<h1>${text(`subscription.${name}.title`)}</h1>`)
    }
  })

  test('a link that does not work', async () => {
    const { body } = await anyone().get('/subscriptions/manage?token=x', reading(locale))
    expect(body).toContain(opening)
    expect(body).toContain(`<h1>${text('notice.link_invalid')}</h1>`)
    expect(body).toContain(`<p>${text('notice.link.incomplete')}</p>`)
  })

  test('a link that has ended', async () => {
    const email = await active()
    const { manage } = await linksOf(email)
    await service.admin.del(`/admin/subscribers/${(await subscriberOf(email)).id}`)
    const { status, body } = await anyone().get(manage, reading(locale))
    expect([status, body]).toEqual([410, expect.stringContaining(`<p>${text('notice.link.subscription_deleted')}</p>`)])
    expect(body).toContain(`<h1>${text('notice.link_expired')}</h1>`)
  })
})

test.each([
  ['an expired link', 'manage', 410, 'notice.link_expired'],
  ['a link that a newer mail has replaced', 'confirm', 410, 'notice.link_expired'],
] as const)('%s is answered in the language of its subscriber', async (_what, name, status, title) => {
  const email = freshEmail()
  await subscribe(email, { locale: 'de' })
  const link = (await linksOf(email))[name]
  wait(60)
  await subscribe(email)
  for (const browser of ['en', 'fr']) {
    const answer = await anyone().get(link, reading(browser))
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining('<html lang="de" dir="ltr">')])
    expect(answer.body).toContain(`<h1>${labelsFor('de').text(title)}</h1>`)
  }
})

describe('the language of the page on which a visitor subscribed is the language of the mails', () => {
  const sent = async (path: string, fields: object = {}, header = 'en') => {
    const email = freshEmail()
    const { status, body } = await anyone().post(path, String(new URLSearchParams({ email, ...fields })), {
      ...form,
      'Accept-Language': header,
    })
    return { status, body, locale: (await subscriberOf(email)).locale }
  }

  test.each([
    ['//subscribe?locale=de', 'en', 'de'],
    ['//status/first/subscribe?locale=de', 'en', 'de'],
    ['//subscribe', 'ja, en;q=0.5', 'ja'],
    ['//subscribe', 'pt-BR', 'pt'],
    ['//subscribe', 'en-US', null],
    ['//subscribe?locale=xx', '', null],
  ])('%s with Accept-Language %s: %s', async (path, header, locale) => {
    const answer = await sent(path, {}, header)
    expect([answer.status, answer.locale]).toEqual([202, locale])
    expect(answer.body).toContain(`<html lang="${locale ?? 'en'}"`)
  })

  test('the form names its language, which comes before the language of the browser', async () => {
    const shown = await anyone().get('//subscribe?locale=fr', html)
    expect(shown.body).toContain('<input type="hidden" name="locale" value="fr">')
    expect((await sent('//subscribe', { locale: 'fr' }, 'de')).locale).toBe('fr')
  })

  test('a page in another language shows the form in this language, and needs no language for its mails', async () => {
    await service.admin.patch('/admin/settings', { document_locale: 'de' })
    const original = await sent('//subscribe', {}, 'nl')
    expect([original.locale, original.body]).toEqual([null, expect.stringContaining('<html lang="de"')])
    expect((await sent('//subscribe?locale=en')).locale).toBe('en')
    await service.admin.patch('/admin/settings', { document_locale: 'en' })
  })

  test('a second request before the confirmation has the language of its page', async () => {
    const email = freshEmail()
    for (const locale of ['de', 'es']) await anyone().post(`//subscribe?locale=${locale}`, `email=${email}`, form)
    expect((await subscriberOf(email)).locale).toBe('es')
  })
})

test('the language that the subscriber chose comes before the language of the browser', async () => {
  const email = await active()
  const { id } = await subscriberOf(email)
  await service.admin.patch(`/admin/subscribers/${id}`, { locale: 'pt-BR' })
  const { manage } = await linksOf(email)
  const { body } = await anyone().get(manage, reading('ja'))
  expect(body).toContain('<html lang="pt" dir="ltr">')
  const saved = await anyone().post(manage, 'locale=ar&parts=0', reading('ja', form))
  expect(saved.body).toContain('<html lang="ar" dir="rtl">')
  expect(saved.body).toContain(labelsFor('ar').text('subscription.manage.saved'))
  const refused = await anyone().post(manage, 'parts=1', reading('fr', form))
  expect(refused.body).toContain(labelsFor('ar').text('subscription.manage.no_kinds'))
})

test.each([
  ['zz', undefined],
  ['nl', undefined],
  ['pt-BR', 'pt-BR'],
  ['de-AT', 'de-AT'],
])('a stranger may ask for mails in %s: %s', async (locale, stored) => {
  const email = freshEmail()
  const { status, body } = await subscribe(email, { locale })
  const path = stored === undefined ? 'locale' : undefined
  expect([status, body.errors?.[0].path]).toEqual([stored === undefined ? 400 : 202, path])
  if (stored !== undefined) expect((await subscriberOf(email)).locale).toBe(stored)
})

test('a subscriber may choose a language of the page or of the service, and keep the stored one', async () => {
  const email = await active()
  const { id } = await subscriberOf(email)
  const { manage } = await linksOf(email)
  const refused = await anyone().post(manage, { locale: 'nl' })
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: 'locale', message: expect.stringContaining('must be a language of this page or of the service') }],
  ])
  await service.admin.patch(`/admin/subscribers/${id}`, { locale: 'nl' })
  expect((await anyone().post(manage, { locale: 'nl', frequency: 'daily' })).status).toBe(200)
  await service.admin.patch('/admin/settings', { document_locale: 'it' })
  expect((await anyone().post(manage, { locale: 'it' })).status).toBe(200)
  await service.admin.patch('/admin/settings', { document_locale: 'en' })
})

describe('a form with a mistake', () => {
  const sent = async (fields: [string, string][], locale = 'ja') => {
    const email = await active()
    await service.admin.patch(`/admin/subscribers/${(await subscriberOf(email)).id}`, { locale })
    const { manage } = await linksOf(email)
    const saved = await anyone().post(manage, String(new URLSearchParams(fields)), reading('fr', form))
    return { ...saved, stored: await subscriberOf(email) }
  }
  const entries: [string, string][] = [
    ...([
      ['parts', '1'],
      ['scope.0', 'items'],
      ['enabled.0', 'on'],
      ['kinds.0', 'incident.resolved'],
    ] as [string, string][]),
    ...([
      ['locale', 'de'],
      ['time_zone', 'Asia/Tokyo'],
      ['frequency', 'daily'],
    ] as [string, string][]),
  ]

  test('is shown again in the language of the subscriber, with its entries and the reason', async () => {
    await service.admin.post('/admin/hierarchy/items', { name: 'Search' })
    const { status, body, stored } = await sent(entries)
    expect(status).toBe(400)
    expect(body).toContain('<html lang="ja"')
    expect(body).toContain(`role="alert">${labelsFor('ja').text('subscription.manage.no_items')}</p>`)
    for (const entry of [
      'name="scope.0" value="items" checked',
      'name="kinds.0" value="incident.resolved" checked',
      'name="frequency" value="daily" checked',
      '<option value="de" selected>',
      '<option value="Asia/Tokyo" selected>',
    ])
      expect(body).toContain(entry)
    expect(body).not.toContain('value="incident.created" checked')
    expect(stored).toMatchObject({ locale: 'ja', time_zone: null, frequency: 'immediate' })
  })

  test('keeps its components, and names a mistake that no browser makes', async () => {
    const { id } = (await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body
    const none = await sent([...entries.filter(([name]) => name !== 'kinds.0'), ['items.0', String(id)]])
    expect(none.body).toContain(`role="alert">${labelsFor('ja').text('subscription.manage.no_kinds')}</p>`)
    expect(none.body).toContain(`name="items.0" value="${id}" checked`)
    const odd = await sent(
      [...entries, ['items.0', String(id)], ['locale', 'xx']].filter(([, value]) => value !== 'de') as never,
    )
    expect([odd.status, odd.body]).toEqual([400, expect.stringContaining('must be a language of this page')])
  })

  test('is an error of the API for other clients', async () => {
    const email = await active()
    const { manage } = await linksOf(email)
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }
    const { status, body } = await anyone().post(manage, 'parts=1', type)
    expect([status, body.error]).toEqual([400, 'Choose at least one kind of event, or unsubscribe.'])
  })
})

test('the components of the form have their names in the language of the subscriber', async () => {
  const german = { locale: 'de', values: { name: 'Suche' }, state: 'published' }
  await service.admin.patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
  await service.admin.post('/admin/hierarchy/items', { name: 'Search', translations: [german] })
  const email = await active()
  await service.admin.patch(`/admin/subscribers/${(await subscriberOf(email)).id}`, { locale: 'de' })
  expect((await anyone().get((await linksOf(email)).manage, html)).body).toContain('<bdi>Suche</bdi>')
})

test.each(['en', 'ar'])('the preferences in %s have no accessibility problem on a phone', async (locale) => {
  const { manage } = await linksOf(await active())
  const page = await openPage(service, `/api/v1${manage}`, { width: 360, locale, bypassCSP: true })
  expect(await axeProblems(page)).toEqual([])
  expect(await horizontalOverflow(page)).toBe(0)
  await page.context().close()
})
