import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { linksFor } from '../../src/domain/subscribers/links.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { html, subscribersOf } from './support/subscribers.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T10:00:00Z') })
})
afterAll(() => service.close())
beforeEach(() => {
  service.now = new Date('2026-11-23T10:00:00Z')
})

const { anyone, freshEmail, wait, subscribe, subscriberOf, linksOf, active, suppressed } = subscribersOf(() => service)

describe('a link', () => {
  test('of another purpose, another page, a deleted subscriber or with a change is refused', async () => {
    const email = await active()
    const links = await linksOf(email)
    const token = links.unsubscribe.split('=')[1]!
    for (const path of ['confirm', 'manage']) {
      const answer = await anyone().post(`/subscriptions/${path}?token=${token}`)
      expect([answer.status, answer.body.code]).toEqual([400, 'link_invalid'])
    }
    for (const wrong of ['', '?token=', '?token=x', `?token=${token.slice(1)}`, `?token=${token}&token=${token}`]) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await anyone().request(method, `/subscriptions/unsubscribe${wrong}`)
        expect([status, body.code]).toEqual([400, 'link_invalid'])
      }
    }
    const elsewhere = linksFor(service.services, service.otherPage, await subscriberOf(email), service.now)
    const other = await anyone().post(elsewhere.unsubscribe.replace('http://status.test/api/v1', ''))
    expect([other.status, other.body.code]).toEqual([410, 'link_expired'])
    expect((await subscriberOf(email)).state).toBe('active')

    await service.admin.del(`/admin/subscribers/${(await subscriberOf(email)).id}`)
    await subscribe(email)
    const gone = await anyone().post(links.unsubscribe)
    expect([gone.status, gone.body.code]).toEqual([410, 'link_expired'])
    expect((await subscriberOf(email)).state).toBe('pending')
  })

  test('expires with a sentence, and a page has the way to a new link', async () => {
    const email = await active()
    const { manage } = await linksOf(email)
    wait(31)
    expect(await anyone().get(manage)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    const { status, body, headers } = await anyone().get(manage, html)
    expect([status, headers.get('cache-control')]).toEqual([410, 'no-store'])
    expect(body).toContain('This link has expired.')
    expect(body).toContain(`href="/status/${service.page.public_slug}/subscribe"`)
  })

  test('to confirm ends with a newer one, and with unsubscribing afterwards', async () => {
    const email = freshEmail()
    await subscribe(email)
    const { confirm: older } = await linksOf(email)
    wait(11)
    await subscribe(email)
    const { confirm: newer, unsubscribe } = await linksOf(email)
    expect((await anyone().post(older)).status).toBe(410)
    expect((await anyone().get(older)).status).toBe(410)
    expect((await anyone().post(newer)).status).toBe(200)
    wait(1)
    await anyone().post(unsubscribe)
    expect((await anyone().post(newer)).status).toBe(410)
    wait(11)
    await subscribe(email)
    expect((await subscriberOf(email)).state).toBe('unsubscribed')
    await anyone().post((await linksOf(email)).confirm)
    expect((await subscriberOf(email)).state).toBe('active')
  })

  test('has pages that no cache keeps, no search engine lists and no script runs on', async () => {
    const links = await linksOf(await active())
    for (const [method, path] of [
      ['GET', links.manage],
      ['GET', links.unsubscribe],
      ['POST', links.unsubscribe],
    ] as const) {
      const { status, headers, body } = await anyone().request(method, path, undefined, html)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(body).not.toMatch(/<script|style="/)
    }
  })
})

describe('unsubscribing', () => {
  test.each([
    ['as in RFC 8058', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'as in RFC 8058 with parts',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['with an empty form', 'application/x-www-form-urlencoded', ''],
    ['with JSON', 'application/json', '{}'],
  ])('one POST %s is enough, and may be repeated', async (_name, type, body) => {
    const email = await active()
    const { unsubscribe } = await linksOf(email)
    wait(60 * 24 * 400)
    for (const headers of [html, {}]) await anyone().get(unsubscribe, headers)
    expect((await subscriberOf(email)).state).toBe('active')
    for (let n = 0; n < 2; n += 1) {
      const answer = await anyone().request('POST', unsubscribe, body, { 'Content-Type': type })
      expect([answer.status, answer.body.subscriber.state]).toEqual([200, 'unsubscribed'])
    }
    const { state, unsubscribed_at, version } = await subscriberOf(email)
    expect([state, unsubscribed_at, version]).toEqual(['unsubscribed', service.now, 3])
  })

  test('a link with parameters of another program works', async () => {
    const { unsubscribe } = await linksOf(await active())
    expect((await anyone().post(`${unsubscribe}&utm_source=mail`)).status).toBe(200)
  })

  test('a suppressed address stays suppressed, and is unsubscribed once it is restored', async () => {
    const email = await suppressed()
    wait(5)
    const { id, version: before } = await subscriberOf(email)
    for (let n = 0; n < 2; n += 1) {
      expect((await anyone().post((await linksOf(email)).unsubscribe)).body.subscriber.state).toBe('suppressed')
    }
    expect(await subscriberOf(email)).toMatchObject({ version: before + 1, updated_at: service.now })
    expect((await service.admin.post(`/admin/subscribers/${id}/restore`)).body.state).toBe('unsubscribed')
  })
})

test('a subscriber can choose each language of the mails, also on a page in one language', async () => {
  const email = 'language@example.com'
  await subscribe(email)
  const { manage } = await linksOf(email)
  const { body } = await anyone().get(manage, { Accept: 'application/json' })
  expect(body.choices.locales).toEqual(expect.arrayContaining(['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar']))
})
