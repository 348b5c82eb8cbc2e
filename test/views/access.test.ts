import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type MailServerForTests, openMailServer } from '../notifications/email/mail-server.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let deliveries: TestDeliveries
let server: MailServerForTests
let itemIds: { mail: number; search: number }
beforeAll(async () => {
  server = await openMailServer()
  service = await openTestService({ frozenAt: new Date('2027-03-01T10:00:00Z') })
  deliveries = deliveriesOf(service)
  const item = async (name: string) => (await service.admin.post('/admin/hierarchy/items', { name })).body.id
  itemIds = { mail: await item('Mail'), search: await item('Search') }
  const { status } = await service.admin.patch('/admin/settings', {
    ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(server.port) },
    email_from_address: 'status@example.com',
  })
  expect(status).toBe(200)
})
afterAll(async () => {
  await deliveries?.close()
  await service?.close()
  await server?.close()
})
beforeEach(() => {
  server.mails.length = 0
})

const wait = (minutes: number) => {
  service.now = new Date(service.now.getTime() + minutes * 60_000)
}

async function made(fields: object): Promise<{ id: number; code: string }> {
  const { body } = await service.admin.post('/admin/views', {
    ...{ name: 'For buyers', items: [{ id: itemIds.mail }], access_mode: 'verified_email' },
    ...fields,
  })
  expect(body.message).toBeUndefined()
  return { id: body.id, code: body.short_code }
}

const send = (method: string, path: string, body?: object, cookie = '') =>
  fetch(`${service.url}${path}`, {
    ...{ method, redirect: 'manual' },
    headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), Cookie: cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const api = (code: string, rest = '') => `/api/v1/views/${code}${rest}`

const ask = (code: string, email: string) => send('POST', api(code, '/access-requests'), { email })
const prove = (code: string, email: string, digits: string) =>
  send('POST', api(code, '/access'), { email, code: digits })

/** The digits of the last mail. */
async function digitsFor(code: string, email: string): Promise<string> {
  server.mails.length = 0
  expect((await ask(code, email)).status).toBe(202)
  await deliveries.settle()
  const [mail] = server.mails
  expect(mail?.to).toEqual([email])
  const digits = /\b\d{6}\b/.exec(mail!.parsed.text ?? '')![0]
  expect(mail!.parsed.subject).toContain(digits)
  return digits
}

async function cookieFor(code: string, email: string): Promise<string> {
  const answer = await prove(code, email, await digitsFor(code, email))
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ message: 'You may read the view.', expires_at: expect.any(String) })
  const set = answer.headers.get('Set-Cookie')!
  expect(set).toMatch(/HttpOnly; SameSite=Lax/)
  return set.split(';')[0]!
}

const outside = { name: 'For buyers', access_mode: 'verified_email' }

test('a code by mail opens the view for seven days', async () => {
  const { code } = await made({})
  expect(await (await send('GET', api(code))).json()).toEqual(outside)
  expect((await send('GET', api(code, '/data'))).status).toBe(401)
  const cookie = await cookieFor(code, 'ada@example.com')
  const inside = await send('GET', api(code), undefined, cookie)
  expect(await inside.json()).toMatchObject({ items: [{ name: 'Mail' }] })
  expect(inside.headers.get('Cache-Control')).toContain('private')
  expect((await send('GET', api(code, '/data'), undefined, cookie)).status).toBe(200)
  expect(await (await send('GET', api(code))).json()).toEqual(outside)
  expect((await send('GET', `/v/${code}`, undefined, cookie)).status).toBe(200)
  expect((await send('GET', `/v/${code}/feed.atom`)).status).toBe(401)
  expect((await send('GET', `/v/${code}/feed.atom`, undefined, cookie)).status).toBe(200)
  expect((await send('GET', `/v/${code}/calendar.ics`)).status).toBe(401)
  expect((await send('GET', `/v/${code}/calendar.ics`, undefined, cookie)).status).toBe(200)
  wait(7 * 24 * 60 + 1)
  expect((await send('GET', api(code, '/data'), undefined, cookie)).status).toBe(401)
})

test('an unchanged page of a view is answered with 304, however often it was computed', async () => {
  const { code } = await made({ access_mode: 'public' })
  const first = await fetch(`${service.url}/v/${code}`)
  wait(30)
  service.services.pageChanged(service.page.id)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  expect((await fetch(`${service.url}/v/${code}`, { headers })).status).toBe(304)
})

test('a token of the page reads the view, a token of another page does not', async () => {
  const { code } = await made({})
  expect((await service.admin.get(`/views/${code}/data`)).status).toBe(200)
  expect((await service.otherAdmin.get(`/views/${code}/data`)).status).toBe(404)
})

test('each code works once, for ten minutes and five attempts', async () => {
  const { code } = await made({})
  const email = 'tries@example.com'
  const once = await digitsFor(code, email)
  expect((await prove(code, email, once)).status).toBe(200)
  expect((await prove(code, email, once)).status).toBe(401)
  const late = await digitsFor(code, email)
  wait(11)
  expect((await prove(code, email, late)).status).toBe(401)
  const tried = await digitsFor(code, email)
  const wrong = tried === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) expect((await prove(code, email, wrong)).status).toBe(401)
  expect((await prove(code, email, tried)).status).toBe(401)
  const mine = await digitsFor(code, email)
  expect((await prove(code, 'other@example.com', mine)).status).toBe(401)
  const other = await made({})
  expect((await prove(other.code, email, mine)).status).toBe(401)
  expect((await prove(code, 'TRIES@example.com', mine)).status).toBe(200)
})

test.each([
  ['allowed_domains', { allowed_domains: ['example.com'] }, 'ada@EXAMPLE.com', ['ada@sub.example.com', 'a@b.c']],
  ['allowed_emails', { allowed_emails: ['Ada@example.com'] }, 'ada@example.com', ['bob@example.com']],
])('%s: only who is allowed gets a code, and every address the same answer', async (mode, lists, right, wrong) => {
  const { id, code } = await made({ access_mode: mode, ...lists })
  const answers = await Promise.all([right, ...wrong].map(async (email) => (await ask(code, email)).text()))
  expect(new Set(answers).size).toBe(1)
  await deliveries.settle()
  expect(server.mails.map(({ to }) => to[0]!.toLowerCase())).toEqual([right.toLowerCase()])
  const cookie = await cookieFor(code, right.toLowerCase())
  const read = async () => (await send('GET', api(code, '/data'), undefined, cookie)).status
  expect(await read()).toBe(200)
  await service.admin.patch(`/admin/views/${id}`, {
    access_mode: 'allowed_emails',
    allowed_emails: ['new@example.com'],
  })
  await until(read, (status) => status === 401)
  expect((await send('GET', api(code), undefined, cookie)).status).toBe(200)
})

test('few codes are open at a time, however many requests come at once; used up codes make room', async () => {
  const many = await made({})
  await Promise.all(Array.from({ length: 7 }, () => ask(many.code, 'flood@example.com')))
  await deliveries.settle()
  expect(server.mails).toHaveLength(3)
  for (let n = 0; n < 5; n += 1) await prove(many.code, 'flood@example.com', '000000')
  const digits = await digitsFor(many.code, 'flood@example.com')
  expect((await prove(many.code, 'flood@example.com', digits)).status).toBe(200)
  server.mails.length = 0
})

test('few codes are open one after the other', async () => {
  const { code } = await made({})
  for (let n = 0; n < 5; n += 1) expect((await ask(code, 'many@example.com')).status).toBe(202)
  await deliveries.settle()
  expect(server.mails).toHaveLength(3)
})

test('the code is in no record of administrators', async () => {
  const { code } = await made({})
  const digits = await digitsFor(code, 'secret@example.com')
  const { body } = await service.admin.get('/admin/deliveries?limit=5')
  const { body: one } = await service.admin.get(`/admin/deliveries/${body.deliveries[0].id}`)
  expect(JSON.stringify(one)).not.toContain(digits)
})

describe('by a browser', () => {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(service.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

  test('the form of a view for everyone leads to the view', async () => {
    const { code } = await made({ access_mode: 'public' })
    const answer = await post(`/v/${code}`, { email: 'ada@example.com' })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/v/${code}`])
  })

  test('a form asks for the address, the next one for the code', async () => {
    const { code } = await made({})
    const path = `/status/${service.page.public_slug}/v/${code}`
    const first = await fetch(service.url + path)
    expect(first.status).toBe(401)
    const form = await first.text()
    expect(form).toContain('For buyers')
    expect(form).not.toContain('>Mail<')
    const asked = await post(path, { email: 'form@example.com' })
    expect(await asked.text()).toContain('form@example.com')
    await deliveries.settle()
    const digits = /\b\d{6}\b/.exec(server.mails[0]!.parsed.text ?? '')![0]
    const wrong = await post(path, { email: 'form@example.com', code: '12 34' })
    expect([wrong.status, (await wrong.text()).includes('wrong')]).toEqual([401, true])
    const done = await post(path, { email: 'form@example.com', code: `${digits.slice(0, 3)} ${digits.slice(3)}` })
    expect([done.status, done.headers.get('Location')]).toEqual([303, path])
    const cookie = done.headers.get('Set-Cookie')!.split(';')[0]!
    const view = await send('GET', path, undefined, cookie)
    expect(view.status).toBe(200)
    expect(await view.text()).toContain('Mail')
    expect((await send('GET', path)).status).toBe(401)
  })
})

describe('subscriptions to a view', () => {
  const incident = (title: string, ...ids: number[]) =>
    service.admin.post('/admin/incidents', { title, affected_items: ids.map((id) => ({ id, status: 'degraded' })) })

  test('are for its items alone, and for addresses that it allows', async () => {
    const { id, code } = await made({ access_mode: 'allowed_domains', allowed_domains: ['example.com'] })
    for (const [email, scope] of [
      ['in@example.com', { kind: 'view', view_id: id }],
      ['code@example.com', { kind: 'view', code }],
      ['name@example.com', { kind: 'view', view: code }],
      ['number@example.com', { kind: 'view', view: id }],
      ['out@example.org', { kind: 'view', view_id: id }],
      ['all@example.org', { kind: 'page' }],
    ] as const) {
      const { body, status } = await service.admin.post('/admin/subscribers', {
        ...{ channel: 'email', email, confirmed: true },
        subscriptions: [{ scope }],
      })
      expect([status, body.message]).toEqual([201, undefined])
      const preferences = await service.admin.get(`/admin/subscribers/${body.id}/preferences`)
      const shown = scope.kind === 'view' ? { kind: 'view', view_id: id, code, view: code, name: 'For buyers' } : scope
      expect(preferences.body.subscriptions[0].scope).toEqual(shown)
      const same = await service.admin.request('PUT', `/admin/subscribers/${body.id}/preferences`, {
        subscriptions: [{ scope: shown }],
      })
      expect(same.status).toBe(200)
    }
    await incident('Search is slow', itemIds.search)
    await deliveries.settle()
    expect(server.mails.flatMap(({ to }) => to)).toEqual(['all@example.org'])
    server.mails.length = 0
    await incident('Both are slow', itemIds.search, itemIds.mail)
    await deliveries.settle()
    const texts = Object.fromEntries(server.mails.map(({ to, parsed }) => [to[0], parsed.text ?? '']))
    expect(
      Object.keys(texts)
        .map((address) => address.split('@')[0])
        .sort(),
    ).toEqual(['all', 'code', 'in', 'name', 'number'])
    expect(texts['all@example.org']).toContain('Search')
    expect(texts['in@example.com']).toContain('Mail')
    expect(texts['in@example.com']).not.toContain('Search')
    expect(texts['all@example.org']).toMatch(/http:\/\/status.test\/status\/first\/incidents\/\d+\n/)
    expect(texts['in@example.com']).toContain(`http://status.test/status/first/v/${code}\n`)
    expect(texts['in@example.com']).not.toContain('/incidents/')
  })

  test('strangers can ask for one by the code; an unknown view is refused', async () => {
    const { code } = await made({ access_mode: 'public' })
    const ask = (scope: object) =>
      service.as(undefined).post('/subscriptions', { email: 'new@example.com', subscriptions: [{ scope }] })
    expect((await ask({ kind: 'view', code })).status).toBe(202)
    expect((await ask({ kind: 'view', view: code })).status).toBe(202)
    expect((await ask({ kind: 'view', view: code, code: 'unknown' })).status).toBe(400)
    expect((await ask({ kind: 'view', code: 'unknown' })).status).toBe(400)
    expect((await ask({ kind: 'view', view_id: 1 })).status).toBe(400)
    expect((await ask({ kind: 'view' })).status).toBe(400)
  })

  test('stay as they are when a subscriber saves the form of its preferences', async () => {
    const { id, code } = await made({})
    const email = 'keeps@example.com'
    const subscriptions = [{ scope: { kind: 'view', view_id: id } }]
    await service.admin.post('/admin/subscribers', { channel: 'email', email, confirmed: true, subscriptions })
    await service.as(undefined).post('/subscriptions/manage-link', { email })
    server.mails.length = 0
    await deliveries.settle()
    const { parsed } = server.mails.find(({ to }) => to[0] === email)!
    const link = new URL(/http\S+manage\?token=[\w-]+/.exec(parsed.text ?? '')![0])
    const path = service.url + link.pathname + link.search
    const form = await (await fetch(path, { headers: { Accept: 'text/html' } })).text()
    expect(form).toContain('For buyers')
    const fields = [...form.matchAll(/<input ([^>]*)>/g)].flatMap(([, attributes = '']) => {
      const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
      const isSent = /type="hidden"/.test(attributes) || /\bchecked\b/.test(attributes)
      return isSent ? [[attribute('name'), attribute('value')] as [string, string]] : []
    })
    const saved = await fetch(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Accept: 'text/html' },
    })
    expect(saved.status).toBe(200)
    const { subscribers } = (await service.admin.get('/admin/subscribers?view=full&search=keeps')).body
    const { body } = await service.admin.get(`/admin/subscribers/${subscribers[0].id}/preferences`)
    expect(body.subscriptions.map(({ scope }: { scope: object }) => scope)).toEqual([
      { kind: 'view', view_id: id, code, view: code, name: 'For buyers' },
    ])
  })

  test('end with the view', async () => {
    const { id } = await made({})
    const { body } = await service.admin.post('/admin/subscribers', {
      ...{ channel: 'email', email: 'end@example.com', confirmed: true },
      subscriptions: [{ scope: { kind: 'view', view_id: id } }],
    })
    expect((await service.admin.del(`/admin/views/${id}`)).status).toBe(200)
    const { body: left } = await service.admin.get(`/admin/subscribers/${body.id}/preferences`)
    expect(left.subscriptions).toEqual([])
  })
})
