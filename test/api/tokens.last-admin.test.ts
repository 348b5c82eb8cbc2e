import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const DAY_MS = 24 * 60 * 60 * 1000
const later = (ms: number) => new Date(START.getTime() + ms)

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: START })
})
afterAll(() => service.close())

describe('the last admin token of a page that stays active for a day', () => {
  const open = async () => {
    const admin = service.as(await service.token({ page: service.otherPage }))
    const [own, ...others] = (await admin.get('/admin/api-tokens?limit=100')).body.api_tokens
    for (const { id } of others) expect((await admin.post(`/admin/api-tokens/${id}/revoke`)).status).toBe(200)
    return { admin, path: `/admin/api-tokens/${own.id}` }
  }

  test('cannot be revoked, deleted or made to expire, whatever other tokens there are', async () => {
    const { admin, path } = await open()
    await admin.post('/admin/api-tokens', { name: 'writer', permission: 'write' })
    await admin.post('/admin/api-tokens', { name: 'reads as admin', permission: 'admin', role_key: 'page_viewer' })
    await admin.post('/admin/api-tokens', {
      ...{ name: 'soon expired', permission: 'admin', expires_at: later(60_000).toISOString() },
    })
    const before = (await admin.get(path)).body
    const attempts = [
      await admin.post(`${path}/revoke`),
      await admin.del(path),
      await admin.patch(path, { expires_at: later(60_000).toISOString() }),
    ]
    for (const { status, body } of attempts) {
      expect([status, body.code]).toEqual([409, 'conflict'])
      expect(body.error).toMatch(
        /^The token "admin page_admin" is the last admin token of the page that stays active for a day/,
      )
    }
    expect({ ...(await admin.get(path)).body, last_used_at: null }).toEqual({ ...before, last_used_at: null })
    expect((await admin.patch(path, { name: 'renamed' })).status).toBe(200)
  })

  test('can be revoked once there is another one, which then is the last', async () => {
    const { admin, path } = await open()
    const { body: second } = await admin.post('/admin/api-tokens', { name: 'second', permission: 'admin' })
    expect((await admin.post(`${path}/revoke`)).status).toBe(200)
    const own = service.as(second.token)
    expect((await own.post(`/admin/api-tokens/${second.id}/revoke`)).status).toBe(409)
    expect((await own.del(path)).status).toBe(200)
  })

  test('is left when two admins revoke each other at once', async () => {
    const { admin, path } = await open()
    const { body: second } = await admin.post('/admin/api-tokens', { name: 'second', permission: 'admin' })
    const answers = await Promise.all([
      service.as(second.token).post(`${path}/revoke`),
      admin.post(`/admin/api-tokens/${second.id}/revoke`),
    ])
    // 401 if the first revocation commits before the second request is authenticated.
    const [first, other] = answers.map(({ status }) => status).sort()
    expect(first).toBe(200)
    expect([401, 409]).toContain(other)
  })

  test('may expire later than it would have', async () => {
    const { admin, path } = await open()
    const { body: second } = await admin.post('/admin/api-tokens', {
      ...{ name: 'short', permission: 'admin', expires_at: later(2 * DAY_MS).toISOString() },
    })
    expect((await admin.post(`${path}/revoke`)).status).toBe(200)
    const own = service.as(second.token)
    const address = `/admin/api-tokens/${second.id}`
    expect((await own.patch(address, { expires_at: later(DAY_MS + 1000).toISOString() })).status).toBe(409)
    for (const expires_at of [later(3 * DAY_MS).toISOString(), null]) {
      const { status, body } = await own.patch(address, { expires_at })
      expect([status, body.expires_at]).toEqual([200, expires_at])
    }
  })
})
