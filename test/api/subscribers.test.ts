import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

let addresses = 0
const freshEmail = () => {
  addresses += 1
  return `reader${addresses}@Example.com`
}
const create = (fields: object) => service.admin.post('/admin/subscribers', fields)
async function made(fields: object = {}) {
  const { status, body } = await create({ channel: 'email', email: freshEmail(), ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
const on = (id: number, path: string, body: object = {}) => service.admin.post(`/admin/subscribers/${id}/${path}`, body)
const confirmations = async (id: number) =>
  (await service.admin.get(`/admin/notifications?key=subscription.confirm&subject=subscriber:${id}`)).body.notifications

describe('a new subscriber', () => {
  test('by email waits for its confirmation, which is asked for', async () => {
    const email = freshEmail()
    const subscriber = await made({ email, locale: 'de', time_zone: 'Europe/Berlin', frequency: 'daily' })
    expect(subscriber).toMatchObject({
      ...{ channel: 'email', email, state: 'pending', source: 'admin', locale: 'de', time_zone: 'Europe/Berlin' },
      ...{ frequency: 'daily', confirmed_at: null, bounce_count: 0, version: 1 },
    })
    expect(subscriber.secret).toBeUndefined()
    expect(await confirmations(subscriber.id)).toHaveLength(1)
  })

  test('whose consent is stated is active at once', async () => {
    const subscriber = await made({ confirmed: true })
    expect(subscriber).toMatchObject({ state: 'active', confirmed_at: expect.any(String) })
    expect(await confirmations(subscriber.id)).toEqual([])
  })

  test('by webhook is active, and only the answer shows its secret', async () => {
    const subscriber = await made({ channel: 'webhook', email: undefined, url: 'https://hooks.example.com/1' })
    expect(subscriber).toMatchObject({ state: 'active', secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/=]{32}$/) })
    const { body } = await service.admin.get(`/admin/subscribers/${subscriber.id}`)
    expect(body.secret).toBeUndefined()
    const rows = await service.services.system.em.fork().execute('select * from audit_event, secret')
    expect(JSON.stringify(rows)).not.toContain(subscriber.secret)
  })

  test('is one receiver with and without a fragment of its URL', async () => {
    const url = 'https://hooks.example.com/fragments'
    expect((await create({ channel: 'webhook', url: `${url}#one` })).status).toBe(201)
    expect((await create({ channel: 'webhook', url })).status).toBe(409)
  })

  test('has a URL of at most 2000 characters', async () => {
    const { body } = await create({ channel: 'webhook', url: `https://hooks.example.com/${'x'.repeat(3000)}` })
    expect(body.errors[0].message).toBe('must have at most 2000 characters')
  })

  test('is unique by its address, in any case', async () => {
    const { id, email } = await made()
    const again = await create({ channel: 'email', email: email.toUpperCase() })
    expect(again).toMatchObject({ status: 409, body: { error: `The subscriber ${id} has this address already.` } })
  })

  test.each([
    ['without an address', { channel: 'email' }, 'email'],
    [
      'with the address of another channel',
      { channel: 'email', email: 'a@b.example', url: 'https://x.example' },
      'url',
    ],
    ['with a name of 65 characters', { channel: 'email', email: `${'a'.repeat(65)}@example.com` }, 'email'],
    ['with a broken address', { channel: 'email', email: 'a b@example.com' }, 'email'],
    ['with a line break in the address', { channel: 'email', email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    ['with an address that is no URL', { channel: 'webhook', url: 'ftp://example.com' }, 'url'],
    ['with a password in the URL', { channel: 'webhook', url: 'https://user:pass@hooks.example.com' }, 'url'],
    ['with a digest of a webhook', { channel: 'webhook', url: 'https://x.example', frequency: 'daily' }, 'frequency'],
    ['with an unknown time zone', { channel: 'email', email: 'a@b.example', time_zone: 'Mars/Base' }, 'time_zone'],
    ['with a state', { channel: 'email', email: 'a@b.example', state: 'active' }, 'state'],
    [
      'with an item that does not exist',
      { channel: 'email', email: 'a@b.example', subscriptions: [{ scope: { kind: 'items', items: [{ id: 99 }] } }] },
      'subscriptions.0.scope.items.0',
    ],
    [
      'with internal events that are not marked as internal',
      { channel: 'email', email: 'a@b.example', subscriptions: [{ event_kinds: ['beat.review_requested'] }] },
      'subscriptions.0.event_kinds',
    ],
  ])('%s is refused', async (_name, fields, path) => {
    const { status, body } = await create(fields)
    expect([status, body.errors?.[0].path]).toEqual([400, path])
  })
})

describe('the state of a subscriber', () => {
  test('suppressed and restored, it is what it decided itself', async () => {
    const { id } = await made({ confirmed: true })
    const suppressed = await on(id, 'suppress', { reason: 'Asked us to' })
    expect(suppressed.body).toMatchObject({ state: 'suppressed', suppression_reason: 'Asked us to', version: 2 })
    expect((await on(id, 'suppress')).body.version).toBe(2)
    expect((await on(id, 'restore')).body).toMatchObject({ state: 'active', suppressed_at: null, version: 3 })
    const pending = await made()
    await on(pending.id, 'suppress')
    expect((await on(pending.id, 'restore')).body.state).toBe('pending')
  })

  test('five soft bounces in a row suppress an address, and so does one hard bounce or complaint', async () => {
    const bounce = (email: string, kind: string) => service.admin.post('/admin/subscribers/bounces', { email, kind })
    const { email } = await made({ confirmed: true })
    for (let n = 1; n < 5; n += 1)
      expect((await bounce(email, 'soft')).body).toMatchObject({ state: 'active', bounce_count: n })
    expect((await bounce(email, 'soft')).body).toMatchObject({
      state: 'suppressed',
      suppression_reason: '5 soft bounces in a row',
    })
    for (const [kind, suppression_reason, bounce_count] of [
      ['hard', 'A hard bounce', 1],
      ['complaint', 'A complaint', 0],
    ] as const) {
      const other = await made({ confirmed: true })
      const expected = { state: 'suppressed', suppression_reason, bounce_count }
      expect((await bounce(other.email, kind)).body).toMatchObject(expected)
    }
    expect((await bounce('unknown@example.com', 'hard')).status).toBe(404)
  })

  test('soft bounces with a long time between them are not in a row', async () => {
    const { email } = await made({ confirmed: true })
    const began = service.now
    const counts: number[] = []
    for (const days of [0, 30, 30, 31, 1]) {
      service.now = new Date(service.now.getTime() + days * 24 * 60 * 60 * 1000)
      counts.push((await service.admin.post('/admin/subscribers/bounces', { email, kind: 'soft' })).body.bounce_count)
    }
    service.now = began
    expect(counts).toEqual([1, 2, 3, 1, 2])
  })

  test('a bounce of an address that is suppressed already changes nothing', async () => {
    const { id, email } = await made({ confirmed: true })
    const bounce = (kind: string) => service.admin.post('/admin/subscribers/bounces', { email, kind })
    const { version } = (await bounce('complaint')).body
    for (const kind of ['hard', 'soft', 'complaint']) {
      const unchanged = { version, bounce_count: 0, suppression_reason: 'A complaint' }
      expect((await bounce(kind)).body).toMatchObject(unchanged)
    }
    const { body } = await service.admin.get('/admin/audit-events?operation=subscribers.bounces')
    const own = body.audit_events.filter(({ subject }: { subject: { id: number } }) => subject.id === id)
    expect(own).toHaveLength(1)
  })

  test('only a disabled subscriber is enabled', async () => {
    const { id } = await made()
    expect((await on(id, 'enable')).status).toBe(409)
  })

  test('a rotated secret is shown once, and the previous one signs for a day', async () => {
    const webhook = await made({ channel: 'webhook', email: undefined, url: 'https://hooks.example.com/rotate' })
    const rotated = await on(webhook.id, 'rotate-secret')
    expect(rotated.body.secret).not.toBe(webhook.secret)
    expect(Date.parse(rotated.body.previous_secret_until) - Date.now()).toBeGreaterThan(86_000_000)
    expect((await on((await made()).id, 'rotate-secret')).status).toBe(409)
  })

  test('a change of nothing raises no version, and the address cannot change', async () => {
    const { id } = await made({ locale: 'de' })
    const { body } = await service.admin.get(`/admin/subscribers/${id}`)
    expect((await service.admin.patch(`/admin/subscribers/${id}`, body)).body).toEqual(body)
    expect((await service.admin.patch(`/admin/subscribers/${id}`, { email: 'x@example.com' })).status).toBe(400)
    expect((await service.admin.patch(`/admin/subscribers/${id}`, { locale: null })).body).toMatchObject({
      ...{ locale: null, version: 2 },
    })
  })
})

describe('preferences', () => {
  const put = (id: number, subscriptions: object[]) =>
    service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, { subscriptions })

  test('a subscriber is informed of the whole page, of every public event but the changes of items', async () => {
    const { id } = await made()
    const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
    expect(body.subscriber.id).toBe(id)
    expect(body.subscriptions).toMatchObject([{ scope: { kind: 'page' }, internal: false, enabled: true }])
    expect(body.subscriptions[0].event_kinds).toContain('incident.created')
    expect(body.subscriptions[0].event_kinds).not.toContain('item.status_changed')
    expect(body.subscriptions[0].event_kinds).not.toContain('incident.reminder')
  })

  test('are replaced only if a version that is sent is the present one', async () => {
    const { id } = await made()
    const write = (version: number) =>
      service.admin.request('PUT', `/admin/subscribers/${id}/preferences`, { subscriptions: [], version })
    expect((await write(1)).status).toBe(200)
    expect(await write(1)).toMatchObject({ status: 409, body: { code: 'version_conflict' } })
    expect((await service.admin.get(`/admin/subscribers/${id}`)).body.version).toBe(2)
  })

  test('a list replaces the subscriptions, and an input with an id keeps its record', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Search', external_id: 'search' })
    const { id } = await made()
    const of = { scope: { kind: 'items', items: [{ external_id: 'search' }] }, event_kinds: ['incident.created'] }
    const first = await put(id, [of, { internal: true, event_kinds: ['incident.reminder'] }])
    expect(first.body).toMatchObject({
      message: `The subscriber ${id} has 2 subscriptions.`,
      subscriptions: [
        { scope: { kind: 'items', items: [{ id: item.id, name: 'Search' }] }, event_kinds: ['incident.created'] },
        { internal: true },
      ],
    })
    const [kept] = first.body.subscriptions
    const event_kinds = ['incident.created', 'incident.resolved', 'incident.created']
    const second = await put(id, [{ ...of, id: kept.id, event_kinds, enabled: false }])
    expect(second.body.message).toBe(`The subscriber ${id} has 1 subscription.`)
    expect(second.body.subscriptions).toMatchObject([
      { id: kept.id, created_at: kept.created_at, enabled: false, event_kinds: event_kinds.slice(0, 2) },
    ])
    await service.admin.del(`/admin/hierarchy/items/${item.id}`)
    const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
    expect(body.subscriptions[0].scope).toEqual({ kind: 'items', items: [] })
  })

  test('an id of another subscriber is refused', async () => {
    const [one, other] = [await made(), await made()]
    const { body } = await service.admin.get(`/admin/subscribers/${other.id}/preferences`)
    expect(await put(one.id, [{ id: body.subscriptions[0].id }])).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'subscriptions.0.id' }] },
    })
  })
})

describe('lists', () => {
  test('compact records have no address, and full ones need admin permission', async () => {
    const { email } = await made()
    const reader = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
    const compact = await reader.get('/admin/subscribers')
    expect(Object.keys(compact.body.subscribers[0]).sort()).toEqual(['channel', 'created_at', 'id', 'state'])
    expect((await reader.get('/admin/subscribers?view=full')).status).toBe(403)
    expect((await reader.get('/admin/subscribers?search=reader')).status).toBe(403)
    const { body } = await service.admin.get(`/admin/subscribers?view=full&search=${email.toUpperCase()}`)
    expect(body.subscribers).toMatchObject([{ email }])
    expect((await service.admin.get('/admin/subscribers?search=%25')).body.subscribers).toEqual([])
  })

  test('filters and pages', async () => {
    const { body } = await service.admin.get('/admin/subscribers?state=suppressed&channel=email&limit=2')
    expect(body.subscribers).toHaveLength(2)
    expect(body.total).toBeGreaterThan(2)
    const next = await service.admin.get(
      `/admin/subscribers?state=suppressed&channel=email&limit=2&cursor=${body.next_cursor}`,
    )
    expect(next.body.subscribers[0].id).toBeLessThan(body.subscribers[1].id)
  })
})
