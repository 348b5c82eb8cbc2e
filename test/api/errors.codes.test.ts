import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Answer } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const incident = (body = {}) => service.admin.post('/admin/incidents', { title: 'Down', ...body })
const keyed = (key: string, title: string) =>
  service.admin.post('/admin/incidents', { title }, { 'Idempotency-Key': key })
const plain = { 'Content-Type': 'text/plain' }

/** One way to meet each code that a client can bring about. */
const cases: [number, string, () => Promise<Answer>][] = [
  [400, 'invalid_request', () => service.admin.post('/admin/incidents', {})],
  [401, 'unauthenticated', () => service.as(undefined).get('/admin/incidents')],
  [401, 'unauthenticated', () => service.as('upb_nonsense').get('/admin/incidents')],
  [403, 'forbidden', async () => service.as(await service.token({ permission: 'read' })).post('/admin/incidents', {})],
  [404, 'not_found', () => service.admin.get('/admin/incidents/123456')],
  [404, 'not_found', () => service.admin.get('/admin/no-such-thing')],
  [405, 'method_not_allowed', () => service.admin.request('PUT', '/admin/incidents', {})],
  [
    409,
    'conflict',
    async () => {
      const { body } = await incident()
      await service.admin.post(`/admin/incidents/${body.id}/resolve`)
      return service.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'm', status: 'degraded' })
    },
  ],
  [
    409,
    'version_conflict',
    async () => {
      const { body } = await incident()
      return service.admin.post(`/admin/incidents/${body.id}/resolve`, { version: body.version + 1 })
    },
  ],
  [
    409,
    'external_id_conflict',
    () => incident({ external_id: 'a' }).then(() => incident({ external_id: 'a', title: 'b' })),
  ],
  [413, 'payload_too_large', () => incident({ description: 'x'.repeat(1024 * 1024) })],
  [415, 'unsupported_media_type', () => service.admin.post('/admin/incidents', '{"title":"Down"}', plain)],
  [422, 'idempotency_key_reused', () => keyed('a', 'one').then(() => keyed('a', 'two'))],
]

describe.each(cases)('%i %s', (status, code, provoke) => {
  test('has the one shape of errors', async () => {
    const answer = await provoke()
    expect(answer.status).toBe(status)
    const { error, request_id, errors, current_version, ...rest } = answer.body
    expect(rest).toEqual({ code })
    expect(error).toMatch(/^.{10,}$/)
    expect(request_id).toBe(answer.headers.get('x-request-id'))
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    if (code === 'version_conflict') expect(current_version).toBe(1)
    else expect(current_version).toBeUndefined()
    if (code === 'invalid_request') expect(errors).toEqual([{ path: expect.any(String), message: expect.any(String) }])
    else expect(errors).toBeUndefined()
  })
})

test('the answer to a refused credential names the expected scheme', async () => {
  const { headers } = await service.as(undefined).get('/admin/incidents')
  expect(headers.get('www-authenticate')).toBe('Bearer')
})

describe('X-Request-Id', () => {
  test('is made, and is another one each time', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await service.admin.get('/context')).headers.get('x-request-id')),
    )
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  test('is echoed, in answers, in errors and on the front page', async () => {
    const sent = { 'X-Request-Id': 'build-17.3_a' }
    for (const path of ['/context', '/incidents', '/nowhere', '//', '//healthz', '//api/docs', '/openapi.json']) {
      expect((await service.admin.get(path, sent)).headers.get('x-request-id')).toBe('build-17.3_a')
    }
    expect((await service.admin.get('/nowhere', sent)).body.request_id).toBe('build-17.3_a')
  })

  test.each(['a b', 'x'.repeat(101), '<script>', '"'])(
    'the service creates a new request id instead of %j',
    async (id) => {
      const { headers } = await service.admin.get('/context', { 'X-Request-Id': id })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

describe('405', () => {
  test.each([
    ['DELETE', '/incidents', 'GET, HEAD'],
    ['PUT', '/admin/page', 'GET, HEAD, PATCH'],
    ['GET', '/admin/incidents/1/resolve', 'POST'],
    ['POST', '//healthz', 'GET, HEAD'],
    ['PUT', '//', 'GET, HEAD, POST'],
    ['PROPFIND', '/context', 'GET, HEAD'],
    ['OPTIONS', '/admin/page', 'GET, HEAD, PATCH'],
    ['DELETE', '/admin/api-tokens/stats', 'GET, HEAD'],
    ['GET', '/admin/api-tokens/validate', 'POST'],
  ])('%s %s is answered with what is allowed', async (method, path, allowed) => {
    const { status, headers } = await service.admin.request(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')!.split(', ').sort().join(', ')).toBe(allowed)
  })

  test('HEAD is possible wherever GET is', async () => {
    for (const path of ['/context', '/incidents', '/admin/incidents', '//healthz']) {
      const { status, body } = await service.admin.request('HEAD', path)
      expect([status, body]).toEqual([200, ''])
    }
  })
})
