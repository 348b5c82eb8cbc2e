import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApiToken } from '../../src/persistence/entities/api-token.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(START.getTime() + ms)

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: START })
})
afterAll(() => service.close())

const create = async (body: object = {}) =>
  (await service.admin.post('/admin/api-tokens', { name: 'ci', permission: 'read', ...body })).body
const processes = async (token: string) => (await service.as(token).get('/context')).status

describe('a new token', () => {
  test('a new token is shown once and authorizes requests', async () => {
    const { status, body, headers } = await service.admin.post('/admin/api-tokens', {
      name: 'ci',
      description: 'for the pipeline',
      permission: 'write',
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/admin/api-tokens/${body.id}`)
    const { token, ...rest } = body
    expect(token).toMatch(/^upb_[a-z0-9]{10}_[a-zA-Z0-9]{40}[0-9a-f]{8}$/)
    expect(rest).toEqual({
      id: expect.any(Number),
      name: 'ci',
      description: 'for the pipeline',
      prefix: token.split('_')[1],
      permission: 'write',
      role_key: 'page_manager',
      state: 'active',
      iac_managed: false,
      version: 1,
      created_at: START.toISOString(),
      created_by: 'admin page_admin',
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    })
    expect(await processes(token)).toBe(200)
  })

  test.each([
    ['read', 'page_viewer'],
    ['write', 'page_manager'],
    ['admin', 'page_admin'],
  ])('with %s has the role %s unless another is named', async (permission, role_key) => {
    expect((await create({ permission })).role_key).toBe(role_key)
    expect((await create({ permission, role_key: 'page_viewer' })).role_key).toBe('page_viewer')
  })

  test('is stored as a hash alone', async () => {
    const { token, id } = await create()
    const record = await service.services.system.em.fork().findOneOrFail(ApiToken, { id })
    const secret = token.split('_')[2]
    expect(JSON.stringify(record)).not.toContain(secret)
    expect(record.hash).toMatch(/^[\w-]{43}$/)
  })

  test('is never shown again, nor its hash', async () => {
    const { token, id } = await create()
    const { hash } = await service.services.system.em.fork().findOneOrFail(ApiToken, { id })
    const path = `/admin/api-tokens/${id}`
    const answers = [
      await service.admin.get('/admin/api-tokens?limit=100'),
      await service.admin.get(path),
      await service.admin.patch(path, { name: 'renamed' }),
      await service.admin.post('/admin/api-tokens/validate', { token }),
      await service.admin.post(`${path}/revoke`),
      await service.admin.get('/admin/audit-events?limit=100'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      const text = JSON.stringify(body)
      expect(text).not.toContain(token)
      expect(text).not.toContain(hash)
    }
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['permission', { permission: 'root' }],
    ['permission', { permission: undefined }],
    ['role_key', { role_key: 'owner' }],
    ['expires_at', { expires_at: START.toISOString() }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['token', { token: 'upb_mine' }],
  ])('with a wrong %s is refused', async (path, body) => {
    const answer = await service.admin.post('/admin/api-tokens', { name: 'ci', permission: 'read', ...body })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path])
  })
})

describe('a token', () => {
  test('expires', async () => {
    const { token, id } = await create({ expires_at: later(60_000).toISOString() })
    service.now = later(59_999)
    expect(await processes(token)).toBe(200)
    service.now = later(60_000)
    try {
      const { status, body } = await service.as(token).get('/context')
      expect([status, body.error]).toEqual([401, 'This token is expired.'])
      expect((await service.admin.get(`/admin/api-tokens/${id}`)).body.state).toBe('expired')
      for (const expires_at of [null, later(120_000).toISOString()]) {
        const refused = await service.admin.patch(`/admin/api-tokens/${id}`, { expires_at })
        expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
        expect(refused.body.error).toContain('is expired and cannot become active again')
      }
      expect(await processes(token)).toBe(401)
      // What was read may be sent back, with another name.
      const read = (await service.admin.get(`/admin/api-tokens/${id}`)).body
      const renamed = await service.admin.patch(`/admin/api-tokens/${id}`, { ...read, name: 'old' })
      expect([renamed.status, renamed.body.name, renamed.body.state]).toEqual([200, 'old', 'expired'])
    } finally {
      service.now = START
    }
  })

  test('is revoked at once and for good', async () => {
    const { token, id } = await create()
    expect(await processes(token)).toBe(200)
    const { status, body } = await service.admin.post(`/admin/api-tokens/${id}/revoke`, { reason: 'leaked' })
    expect([status, body.state, body.revoked_at, body.revoke_reason]).toEqual([
      200,
      'revoked',
      START.toISOString(),
      'leaked',
    ])
    expect((await service.as(token).get('/context')).body.error).toBe('This token is revoked.')
    const again = await service.admin.post(`/admin/api-tokens/${id}/revoke`, { reason: 'other' })
    expect([again.status, again.body]).toEqual([200, body])
    const prolonged = await service.admin.patch(`/admin/api-tokens/${id}`, { expires_at: later(1).toISOString() })
    expect(prolonged.status).toBe(409)
    expect(await processes(token)).toBe(401)
  })

  test('is deleted', async () => {
    const { token, id } = await create({ name: 'gone' })
    const { status, body } = await service.admin.del(`/admin/api-tokens/${id}`)
    expect([status, body]).toEqual([200, { message: expect.stringContaining('gone') }])
    expect(await processes(token)).toBe(401)
    expect((await service.admin.get(`/admin/api-tokens/${id}`)).status).toBe(404)
    expect((await service.admin.del(`/admin/api-tokens/${id}`)).status).toBe(404)
  })

  test('a token shows its last use to the minute', async () => {
    const { token, id } = await create()
    await processes(token)
    const lastUse = async () => (await service.admin.get(`/admin/api-tokens/${id}`)).body.last_used_at
    await until(lastUse, (at) => at === START.toISOString())
    service.now = later(59_000)
    await processes(token)
    service.now = later(61_000)
    await processes(token)
    await until(lastUse, (at) => at === later(61_000).toISOString())
    service.now = START
    expect((await service.admin.get(`/admin/api-tokens/${id}`)).body.version).toBe(1)
  })

  test('changes its name, its description and its expiry, but not its reach', async () => {
    const { id } = await create({ description: 'd' })
    const path = `/admin/api-tokens/${id}`
    expect((await service.admin.patch(path, { permission: 'admin', role_key: 'page_admin' })).status).toBe(400)
    const { body } = await service.admin.patch(path, { name: 'new', permission: 'read', role_key: 'page_viewer' })
    expect(body).toMatchObject({ name: 'new', description: 'd', permission: 'read', role_key: 'page_viewer' })
    expect((await service.admin.patch(path, { description: null })).body).not.toHaveProperty('description')
    expect((await service.admin.patch(path, { name: null })).status).toBe(400)
  })
})

describe('a credential that is none', () => {
  test('an invalid credential gets another error than an unknown token', async () => {
    const { token } = await create()
    const tampered = [
      token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
      token.replace(/_(.)/, (_all: string, letter: string) => `_${letter === 'a' ? 'b' : 'a'}`),
      token.toUpperCase(),
      `${token} x`,
      `x${token}`,
      token.slice(0, -1),
    ]
    for (const wrong of tampered) {
      const { status, body } = await service.as(wrong).get('/context')
      expect([wrong, status, body.error]).toEqual([wrong, 401, 'The Authorization header holds no valid API token.'])
    }
  })

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'bearer x', 'Token abc', 'x', 'Bearer a b'])(
    'Authorization: %s',
    async (Authorization) => {
      expect((await service.as(undefined).get('/context', { Authorization })).status).toBe(401)
      // A public read needs none, so that one that is not valid makes no difference.
      expect((await service.as(undefined).get('/incidents', { Authorization })).status).toBe(200)
    },
  )

  test('the scheme is written in any case', async () => {
    const { token } = await create()
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const { status } = await service.as(undefined).get('/context', { Authorization: `${scheme} ${token}` })
      expect(status).toBe(200)
    }
  })
})

describe('validation', () => {
  const validate = async (token: unknown) => (await service.admin.post('/admin/api-tokens/validate', { token })).body

  test('the validation answers a token of this page', async () => {
    const { token, ...rest } = await create()
    expect(await validate(token)).toEqual({ valid: true, token: rest })
  })

  test('the validation answers a revoked or expired token', async () => {
    const { token, id } = await create()
    await service.admin.post(`/admin/api-tokens/${id}/revoke`)
    expect(await validate(token)).toMatchObject({ valid: false, token: { id, state: 'revoked' } })
    const short = await create({ expires_at: later(1000).toISOString() })
    service.now = later(1000)
    const answer = await validate(short.token)
    service.now = START
    expect(answer).toMatchObject({ valid: false, token: { id: short.id, state: 'expired' } })
  })

  test('the validation shows nothing of other tokens', async () => {
    const { token } = await create()
    expect(await validate('nonsense')).toEqual({ valid: false })
    expect(await validate(`${token.slice(0, -1)}x`)).toEqual({ valid: false })
    expect(await validate(await service.token({ page: service.otherPage }))).toEqual({ valid: false })
  })

  test('does not count as a use', async () => {
    const [{ token, id }, used] = [await create(), await create()]
    const lastUse = async (of: number) => (await service.admin.get(`/admin/api-tokens/${of}`)).body.last_used_at
    await validate(token)
    // A use that comes later is noted: by then this one would be.
    await processes(used.token)
    await until(
      () => lastUse(used.id),
      (at) => at !== null,
    )
    expect(await lastUse(id)).toBeNull()
  })
})

test('the statistics count states and permissions', async () => {
  service.now = later(1000)
  const before = (await service.admin.get('/admin/api-tokens/stats')).body
  service.now = START
  await create({ permission: 'write' })
  const { id } = await create({ permission: 'admin' })
  await service.admin.post(`/admin/api-tokens/${id}/revoke`)
  await create({ expires_at: later(1000).toISOString() })
  service.now = later(1000)
  const after = (await service.admin.get('/admin/api-tokens/stats')).body
  service.now = START
  expect(after).toEqual({
    total: before.total + 3,
    active: before.active + 1,
    expired: before.expired + 1,
    revoked: before.revoked + 1,
    by_permission: {
      read: before.by_permission.read + 1,
      write: before.by_permission.write + 1,
      admin: before.by_permission.admin + 1,
    },
  })
  expect(after.active + after.expired + after.revoked).toBe(after.total)
})

test('the list is paged, newest first, and of this page alone', async () => {
  const made = [await create(), await create(), await create()]
  const { body } = await service.admin.get('/admin/api-tokens?limit=2')
  expect(body.api_tokens.map((token: { id: number }) => token.id)).toEqual([made[2]?.id, made[1]?.id])
  const { body: next } = await service.admin.get(`/admin/api-tokens?limit=1&cursor=${body.next_cursor}`)
  expect(next.api_tokens[0].id).toBe(made[0]?.id)
  const own = await service.services.system.em.fork().count(ApiToken, { page_id: service.page.id })
  expect(body.total).toBe(own)
})
