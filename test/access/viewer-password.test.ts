import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { AuditEvent } from '../../src/persistence/entities/audit-event.ts'
import { Page } from '../../src/persistence/entities/page.ts'
import { draftPlan, openAgentService, planCalls } from '../support/agent.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { change, cookieOf, enter, send } from './readers.ts'

const PASSWORD = 'correct horse'
let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await change(service, { visibility: 'public', viewer_auth_mode: 'password', viewer_password: PASSWORD })
})

const readAs = async (cookie: string | undefined, path = '/') => (await send(service, path, { cookie })).status

describe('the password', () => {
  test('is stored as a hash, and shown nowhere', async () => {
    const { body } = await service.admin.get('/admin/page')
    expect(body).toMatchObject({ viewer_auth_mode: 'password', viewer_password_configured: true })
    const em = service.services.system.em.fork()
    const { viewer_password_hash: hash } = await em.findOneOrFail(Page, { id: service.page.id })
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    await change(service, { viewer_password: 'another password' })
    const events = JSON.stringify(await em.find(AuditEvent, { operation: 'page.update' }))
    for (const secret of [PASSWORD, 'another password', 'argon2', 'session_key']) expect(events).not.toContain(secret)
    expect(events).toContain('"viewer_password":"changed"')
    expect(JSON.stringify(body)).not.toMatch(/viewer_password"|hash|session/)
  })

  test('that is sent again changes nothing', async () => {
    const { version } = (await service.admin.get('/admin/page')).body
    const cookie = await enter(service, PASSWORD)
    expect((await change(service, { viewer_password: PASSWORD })).body.version).toBe(version)
    expect(await readAs(cookie)).toBe(200)
    expect((await change(service, { viewer_password: 'another password' })).body.version).toBe(version + 1)
  })

  test.each(['1234567', 'x'.repeat(201), '', 7])('%j is none', async (viewer_password) => {
    const { status, body } = await change(service, { viewer_password })
    expect([status, body.errors[0].path]).toEqual([400, 'viewer_password'])
    expect(JSON.stringify(body)).not.toContain('x'.repeat(201))
  })

  test('is needed in the mode "password"', async () => {
    const { status, body } = await change(service, { viewer_password: null })
    expect([status, body.errors[0].path]).toEqual([400, 'viewer_password'])
    const both = await change(service, { viewer_password: null, viewer_auth_mode: 'none' })
    expect([both.status, both.body.viewer_password_configured]).toEqual([200, false])
    const without = await change(service, { viewer_auth_mode: 'password' })
    expect([without.status, without.body.errors[0].path]).toEqual([400, 'viewer_auth_mode'])
    expect((await change(service, { viewer_auth_mode: 'password', viewer_password: PASSWORD })).status).toBe(200)
  })

  test('opens the page in every spelling of its letters', async () => {
    await change(service, { viewer_password: 'se\u0301same ouvre' })
    expect(await enter(service, 's\u00e9same ouvre')).toBeDefined()
  })
})

describe('the form', () => {
  test('is at the address that was asked for, and leads there', async () => {
    const asked = await send(service, '/subscribe?locale=fr', { headers: { 'Accept-Language': 'de' } })
    expect(asked.status).toBe(401)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(asked.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(asked.body).toContain('<html lang="fr" dir="ltr">')
    expect(asked.body).toContain('Cette page est protégée par un mot de passe')
    const [, action] = /action="([^"]*)"/.exec(asked.body)!
    const [, path] = /name="path" value="([^"]*)"/.exec(asked.body)!
    expect([action, path]).toEqual(['/', '/subscribe?locale=fr'])
    const answer = await send(service, action!, { method: 'POST', form: { path: path!, password: PASSWORD } })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/subscribe?locale=fr'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await readAs(cookieOf(answer), path)).toBe(200)
  })

  test('is below the slug too, with a cookie for this part alone', async () => {
    const { body } = await send(service, '/status/first')
    expect(body).toContain('action="/status/first"')
    const answer = await send(service, '/status/first', { method: 'POST', form: { password: PASSWORD } })
    expect(answer.headers.get('location')).toBe('/status/first')
    const parts = answer.headers.get('set-cookie')!.split('; ').slice(1)
    expect(parts.filter((part) => !part.startsWith('Expires='))).toEqual([
      'Path=/status/first',
      'HttpOnly',
      'SameSite=Lax',
    ])
  })

  test('does not lead to other places', async () => {
    const answer = await send(service, '/', {
      method: 'POST',
      form: { path: '//elsewhere.example', password: PASSWORD },
    })
    expect(answer.headers.get('location')).toBe('/')
  })

  test('shows text of the address as text', async () => {
    const { body } = await send(service, '/?a="><script>alert(1)</script>')
    expect(body).not.toContain('<script>alert')
  })

  test.each(['', 'wrong password', 'correct horse ', 'x'.repeat(5000)])('refuses %j', async (password) => {
    const { status, headers, body } = await send(service, '/', {
      method: 'POST',
      form: { password, path: '/subscribe' },
    })
    expect([status, headers.get('set-cookie')]).toEqual([401, null])
    expect(body).toContain('This password is not correct.')
    expect(body).toContain('value="/subscribe"')
  })

  test('leads on if the page does not need a password any more', async () => {
    await change(service, { viewer_auth_mode: 'none' })
    const answer = await send(service, '/', { method: 'POST', form: { password: 'whatever', path: '/subscribe' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/subscribe'])
    expect(answer.headers.get('set-cookie')).toBeNull()
    await change(service, { visibility: 'private' })
    expect((await send(service, '/', { method: 'POST', form: { password: PASSWORD } })).status).toBe(404)
  })
})

describe('a session', () => {
  test('ends with the password', async () => {
    const cookie = await enter(service, PASSWORD)
    expect(await readAs(cookie)).toBe(200)
    await change(service, { viewer_password: 'another password' })
    expect(await readAs(cookie)).toBe(401)
    await change(service, { viewer_password: PASSWORD })
    expect(await readAs(cookie)).toBe(401)
  })

  test('ends with the mode', async () => {
    const cookie = await enter(service, PASSWORD)
    await change(service, { viewer_auth_mode: 'none' })
    await change(service, { viewer_auth_mode: 'password' })
    expect(await readAs(cookie)).toBe(401)
  })

  test('ends after seven days', async () => {
    const cookie = await enter(service, PASSWORD)
    const day = 24 * 60 * 60 * 1000
    service.now = new Date(Date.now() + 7 * day - 60_000)
    expect(await readAs(cookie)).toBe(200)
    service.now = new Date(Date.now() + 7 * day + 1000)
    expect(await readAs(cookie)).toBe(401)
    service.now = undefined as never
  })

  test('is of no use if it was changed', async () => {
    const cookie = await enter(service, PASSWORD)
    const [name, seconds, id, signature] = /^(\w+)=(\d+)\.(\d+)\.(.*)$/.exec(cookie!)!.slice(1)
    const forged = [
      `${name}=${Number(seconds) + 1}.${id}.${signature}`,
      `${name}=${seconds}.1.${signature}`,
      `${name}=${seconds}.${id}.${signature!.slice(1)}`,
      `${name}=${seconds}.${id}.`,
      `${name}=`,
      name!,
    ]
    for (const one of forged) expect([one, await readAs(one)]).toEqual([one, 401])
    // A browser sends the cookies of all paths.
    expect(await readAs(`${forged[0]}; other=1; ${cookie}`)).toBe(200)
  })

  test('reads what the page reads, and sends it to no cache', async () => {
    const cookie = await enter(service, PASSWORD)
    const { status, headers } = await send(service, '/api/v1/incidents', { cookie })
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    const known = await send(service, '/api/v1/incidents', { headers: { 'If-None-Match': headers.get('etag')! } })
    expect(known.status).toBe(401)
  })
})

test('the cookie is for encrypted connections alone if the request is encrypted', async () => {
  const proxied = await openTestService({ deps: { trustProxy: true } })
  await change(proxied, { viewer_auth_mode: 'password', viewer_password: PASSWORD })
  const headers = { 'X-Forwarded-Proto': 'https' }
  const answer = await send(proxied, '/', { method: 'POST', form: { password: PASSWORD }, headers })
  expect(answer.headers.get('set-cookie')).toContain('; Secure')
  await proxied.close()
})

test('attempts are limited by address, and failed attempts by page', async () => {
  const rateLimits = {
    public: 1000,
    admin: 600,
    heartbeat: 600,
    ingest: 600,
    subscribe: 10,
    magic_link: 30,
    viewer_password: 2,
  }
  const limited = await openTestService({ deps: { rateLimits, trustProxy: true } })
  await change(limited, { viewer_auth_mode: 'password', viewer_password: PASSWORD })
  const from = (address: string, password: string) =>
    send(limited, '/', { method: 'POST', form: { password }, headers: { 'X-Forwarded-For': address } })
  const statuses = []
  for (const password of ['wrong 1234', PASSWORD, PASSWORD]) statuses.push((await from('192.0.2.1', password)).status)
  expect(statuses).toEqual([401, 303, 429])
  const last = await from('192.0.2.1', PASSWORD)
  expect([last.headers.get('x-ratelimit-tier'), Number(last.headers.get('retry-after')) > 0]).toEqual([
    'viewer_password',
    true,
  ])
  // 59 more failures of other addresses are within the limit of the page, the next one is not.
  for (let n = 0; n < 59; n += 1) expect((await from(`198.51.100.${n}`, 'x')).status).toBe(401)
  expect((await from('203.0.113.1', PASSWORD)).status).toBe(429)
  await limited.close()
})

test('a plan changes the password without showing it', async () => {
  const agent = await openAgentService()
  const input = { viewer_auth_mode: 'password', viewer_password: PASSWORD }
  const plan = await draftPlan(agent.admin, { operation: 'page.update', input })
  const calls = planCalls(agent.admin, plan.id)
  const confirmed = await calls.confirm({ version: plan.version })
  expect(confirmed.status).toBe(200)
  const em = agent.services.system.em.fork()
  const rows = await em.execute('select to_jsonb(p) from action_plan p union all select to_jsonb(a) from audit_event a')
  const shown = JSON.stringify([plan, confirmed.body, (await calls.get()).body, rows])
  expect(shown).toContain('viewer_password')
  expect(shown).not.toContain(PASSWORD)
  expect(await enter(agent, PASSWORD)).toBeDefined()
  expect((await send(agent, '/')).status).toBe(401)
  await agent.close()
})
