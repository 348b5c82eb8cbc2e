import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Subscriber } from '../../src/persistence/entities/subscriber.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { form, html, subscribersOf } from './support/subscribers.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T10:00:00Z') })
})
afterAll(() => service.close())
beforeEach(() => {
  service.now = new Date('2026-11-23T10:00:00Z')
})

const { anyone, em, freshEmail, wait, subscribe, subscriberOf, mailsTo, linksOf, active, unsubscribed, suppressed } =
  subscribersOf(() => service)

const audits = async (operation: string) =>
  (await service.admin.get(`/admin/audit-events?operation=${operation}`)).body.audit_events

describe('subscribing', () => {
  test('a new address is pending until its link is confirmed', async () => {
    const email = 'New.Person@Example.com'
    expect((await subscribe(email, { locale: 'de' })).status).toBe(202)
    const stored = await subscriberOf(email)
    expect(stored).toMatchObject({ state: 'pending', source: 'public', shown_address: email, locale: 'de' })
    expect(await mailsTo(email)).toEqual(['subscription.confirm'])
    const [audit] = await audits('subscriptions.create')
    expect(audit).toMatchObject({ actor: { kind: 'anonymous' }, subject: { kind: 'subscriber', id: stored.id } })

    const { confirm } = await linksOf(email)
    for (const headers of [html, {}]) expect((await anyone().get(confirm, headers)).status).toBe(200)
    expect((await subscriberOf(email)).state).toBe('pending')
    const answers = []
    for (let n = 0; n < 2; n += 1) answers.push(await anyone().post(confirm))
    for (const { status, body } of answers) {
      expect([status, body.message, body.subscriber.state]).toEqual([200, 'You are subscribed.', 'active'])
    }
    const [first, second] = answers.map(({ body }) => body.manage_url)
    expect((await anyone().get(first.replace('http://status.test/api/v1', ''))).status).toBe(200)
    // The link lives for a week: who finds it later does not get at the preferences.
    expect(second).toBeUndefined()
    expect((await subscriberOf(email)).version).toBe(2)
    const [confirmed] = await audits('subscriptions.confirm')
    expect(confirmed).toMatchObject({ actor: { kind: 'anonymous', name: `subscriber ${stored.id}` } })
    expect(JSON.stringify([audit, confirmed])).not.toContain('token=')
  })

  test('a repeated request of a pending address is a change with an audit row, unless it asks for the same', async () => {
    const email = freshEmail()
    const choices = { locale: 'de', subscriptions: [{ scope: { kind: 'page' }, event_kinds: ['incident.created'] }] }
    await subscribe(email)
    const { id, version } = await subscriberOf(email)
    wait(20)
    for (let n = 0; n < 2; n += 1) await subscribe(email, choices)
    const stored = await subscriberOf(email)
    expect(stored).toMatchObject({ locale: 'de', version: version + 1, updated_at: service.now })
    const rows = (await audits('subscriptions.create')).filter(
      ({ subject }: { subject: { id: number } }) => subject.id === id,
    )
    expect(rows).toHaveLength(2)
    const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
    expect(body.subscriptions).toMatchObject([{ event_kinds: ['incident.created'] }])
  })

  test.each([
    ['an admin', false],
    ['an import', true],
  ])('a person whom %s had added subscribes again with choices of its own', async (_who, imported) => {
    const email = freshEmail()
    if (imported) {
      const csv = { 'Content-Type': 'text/csv' }
      await service.admin.request('POST', '/admin/subscribers/import?confirmed=true', `email\n${email}\n`, csv)
    } else await service.admin.post('/admin/subscribers', { channel: 'email', email, confirmed: true })
    const { id } = await subscriberOf(email)
    await anyone().post((await linksOf(email)).unsubscribe)
    wait(20)
    await subscribe(email, {
      ...{ locale: 'fr', subscriptions: [{ scope: { kind: 'page' }, event_kinds: ['incident.resolved'] }] },
    })
    await anyone().post((await linksOf(email)).confirm)
    const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
    expect(body).toMatchObject({
      subscriber: { state: 'active', locale: 'fr' },
      subscriptions: [{ event_kinds: ['incident.resolved'] }],
    })
  })

  test('every address has the same answer', async () => {
    const emails = [freshEmail(), await active(), await unsubscribed(), await suppressed(), freshEmail()]
    await subscribe(emails.at(-1)!)
    for (const path of ['/subscriptions', '/subscriptions/manage-link']) {
      const seen = new Set<string>()
      for (const email of emails) {
        const { status, body, headers } = await anyone().post(path, { email })
        const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
        seen.add(JSON.stringify([status, body, shown]))
      }
      expect([path, [...seen]]).toEqual([path, [expect.stringContaining('202')]])
      wait(20)
    }
  })

  test.each([
    ['active', active, 'subscription.manage'],
    ['unsubscribed', unsubscribed, 'subscription.confirm'],
    ['suppressed', suppressed, undefined],
  ])('an %s address gets the mail that fits, one in ten minutes', async (_state, make, key) => {
    const email = await make()
    wait(20)
    const before = await mailsTo(email)
    const state = (await subscriberOf(email)).state
    for (let n = 0; n < 3; n += 1) await subscribe(email)
    await anyone().post('/subscriptions/manage-link', { email })
    expect(await mailsTo(email)).toEqual(key ? [...before, key] : before)
    wait(11)
    await anyone().post('/subscriptions/manage-link', { email: email.toUpperCase() })
    expect(await mailsTo(email)).toEqual(key ? [...before, key, key] : before)
    expect((await subscriberOf(email)).state).toBe(state)
  })

  test('an unknown address that asks for a link is not stored', async () => {
    const email = freshEmail()
    expect((await anyone().post('/subscriptions/manage-link', { email })).status).toBe(202)
    expect(await em().count(Subscriber, { address: email })).toBe(0)
  })

  test('two requests at once for one address store one subscriber', async () => {
    const email = freshEmail()
    const answers = await Promise.all([1, 2, 3, 4].map(() => subscribe(email)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(await em().count(Subscriber, { address: email })).toBe(1)
    expect(await mailsTo(email)).toEqual(['subscription.confirm'])
  })

  test.each([
    [{ email: 'x' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    [{ subscriptions: [{ scope: { kind: 'items', items: [{ id: 999 }] } }] }, 'subscriptions.0.scope.items.0'],
    [{ subscriptions: [{ internal: true }] }, 'subscriptions.0.internal'],
    [{ subscriptions: [{ id: 1 }] }, 'subscriptions.0.id'],
    [{ subscriptions: [{ event_kinds: ['beat.review_requested'] }] }, 'subscriptions.0.event_kinds.0'],
    [{ frequency: 'daily' }, 'frequency'],
  ])('%j is refused, for known and unknown addresses alike', async (fields, path) => {
    const answers = await Promise.all([subscribe(freshEmail(), fields), subscribe(await active(), fields)])
    for (const { status, body } of answers) expect([status, body.errors?.[0].path]).toEqual([400, path])
  })

  test('a private page is subscribed with a token only, and its links work', async () => {
    const email = freshEmail()
    await service.admin.patch('/admin/page', { visibility: 'private' })
    expect((await subscribe(email)).status).toBe(404)
    expect((await anyone().get('//subscribe', html)).status).toBe(404)
    expect((await service.admin.post('/subscriptions', { email })).status).toBe(202)
    expect((await anyone().post((await linksOf(email)).confirm)).body.subscriber.state).toBe('active')
    await service.admin.patch('/admin/page', { visibility: 'public' })
  })
})

describe('preferences', () => {
  test('are read and replaced as JSON', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Search' })
    const { manage } = await linksOf(await active())
    const { body } = await anyone().get(manage)
    expect(body.subscriptions).toMatchObject([{ scope: { kind: 'page' }, internal: false }])
    expect(body.choices.items).toContainEqual({ id: item.id, name: 'Search', depth: 1 })
    const [{ id }] = body.subscriptions
    const subscriptions = [
      { id, scope: { kind: 'items', items: [{ id: item.id }] }, event_kinds: ['incident.created'] },
    ]
    const changes = { subscriptions, locale: 'de', time_zone: 'Europe/Berlin', frequency: 'daily' }
    const saved = await anyone().post(manage, changes)
    expect(saved.body).toMatchObject({
      message: 'Your preferences are saved.',
      subscriber: { locale: 'de', time_zone: 'Europe/Berlin', frequency: 'daily' },
      subscriptions: [{ id, scope: { items: [{ id: item.id }] }, event_kinds: ['incident.created'] }],
    })
    const rows = await audits('subscriptions.manage')
    await anyone().post(manage, changes)
    expect(await audits('subscriptions.manage')).toEqual(rows)
    const internal = await anyone().post(manage, { subscriptions: [{ internal: true }] })
    expect([internal.status, internal.body.errors[0].path]).toEqual([400, 'subscriptions.0.internal'])
  })

  test('that an admin made for internal events are neither shown nor replaced', async () => {
    const email = await active()
    const { id } = await subscriberOf(email)
    const path = `/admin/subscribers/${id}/preferences`
    await service.admin.request('PUT', path, { subscriptions: [{ internal: true }, {}] })
    const { manage } = await linksOf(email)
    expect((await anyone().get(manage)).body.subscriptions).toHaveLength(1)
    await anyone().post(manage, { subscriptions: [] })
    expect((await service.admin.get(path)).body.subscriptions).toMatchObject([{ internal: true }])
  })

  test('are changed by the form of the page', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: '<b>"Shop" & co' })
    const email = await active()
    const { manage } = await linksOf(email)
    const page = (await anyone().get(manage, html)).body as string
    expect(page).toContain('&lt;b&gt;&quot;Shop&quot; &amp; co')
    expect(page).not.toContain('<b>"Shop"')
    const id = /name="id.0" value="(\d+)"/.exec(page)![1]!
    const fields = new URLSearchParams({ parts: '1', 'id.0': id, 'scope.0': 'items', 'enabled.0': 'on' })
    fields.append('items.0', String(item.id))
    for (const kind of ['incident.created', 'incident.resolved']) fields.append('kinds.0', kind)
    for (const [name, value] of [
      ['locale', ''],
      ['time_zone', 'Asia/Tokyo'],
      ['frequency', 'daily'],
    ] as const) {
      fields.append(name, value)
    }
    const saved = await anyone().request('POST', manage, String(fields), form)
    expect([saved.status, saved.body.includes('Your preferences are saved.')]).toEqual([200, true])
    const { body } = await anyone().get(manage)
    expect(body.subscriber).toMatchObject({ locale: null, time_zone: 'Asia/Tokyo', frequency: 'daily' })
    expect(body.subscriptions).toMatchObject([
      { id: Number(id), scope: { items: [{ id: item.id }] }, event_kinds: ['incident.created', 'incident.resolved'] },
    ])
    fields.delete('items.0')
    const refused = await anyone().request('POST', manage, String(fields), form)
    expect([refused.status, refused.body.includes('Choose at least one component')]).toEqual([400, true])
  })
})

describe('the page to subscribe', () => {
  test.each(['//subscribe', '//status/first/subscribe'])('%s has a form that subscribes', async (path) => {
    const email = freshEmail()
    const shown = await anyone().get(path, html)
    expect([shown.status, shown.body.includes('name="email"')]).toEqual([200, true])
    const sent = await anyone().request('POST', path, `email=${encodeURIComponent(email)}`, form)
    expect([sent.status, sent.body.includes('Check your mailbox')]).toEqual([202, true])
    expect(await mailsTo(email)).toEqual(['subscription.confirm'])
    const wrong = await anyone().request('POST', path, 'email=%3Cscript%3E', form)
    expect([wrong.status, wrong.body.includes('Enter a valid email address')]).toEqual([400, true])
  })

  test('a custom view leads to the form for the view', async () => {
    const { id } = (await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body
    await service.admin.post('/admin/views', { name: 'For buyers', alias: 'buyers', items: [{ id }] })
    const shown = (await anyone().get('//v/buyers', html)).body
    const [, path] = /href="(\/subscribe\?view=[\w-]+)"/.exec(shown)!
    const { body } = await anyone().get(`/${path}`, html)
    expect(body).toContain('<h1>Subscribe to updates: For buyers</h1>')
    const email = freshEmail()
    const sent = await anyone().request('POST', `/${path}`, `email=${encodeURIComponent(email)}`, form)
    expect(sent.status).toBe(202)
    const stored = (await service.admin.get(`/admin/subscribers/${(await subscriberOf(email)).id}/preferences`)).body
    expect(stored.subscriptions).toMatchObject([{ scope: { kind: 'view', code: path!.split('=')[1] } }])
    for (const query of ['none', '', `buyers&view=none`, 'x'.repeat(100)]) {
      expect([query, (await anyone().get(`//subscribe?view=${query}`, html)).status]).toEqual([query, 404])
    }
    expect((await anyone().request('POST', '//subscribe?view=none', 'email=a%40b.example', form)).status).toBe(404)
  })
})

test('requests that send mails are limited by address', async () => {
  const rateLimits = {
    public: 100,
    admin: 100,
    heartbeat: 100,
    ingest: 100,
    subscribe: 2,
    magic_link: 3,
    viewer_password: 10,
  }
  const limited = await openTestService({ deps: { rateLimits } })
  try {
    for (const [path, tier, limit] of [
      ['/subscriptions', 'subscribe', 2],
      ['/subscriptions/manage-link', 'magic_link', 3],
    ] as const) {
      const statuses: number[] = []
      let last: Headers | undefined
      for (let n = 0; n <= limit; n += 1) {
        const { status, headers } = await limited.as(undefined).post(path, { email: 'a@example.com' })
        statuses.push(status)
        last = headers
      }
      expect(statuses).toEqual([...Array(limit).fill(202), 429])
      expect([last!.get('x-ratelimit-tier'), last!.get('x-ratelimit-limit')]).toEqual([tier, String(limit)])
    }
    expect((await limited.as(undefined).post('//subscribe', {}, form)).status).toBe(429)
  } finally {
    await limited.close()
  }
})
