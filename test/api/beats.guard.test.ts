import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { beatsPath, httpBeat, makeBeat } from '../support/beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ beatTargets: 'public' })
  service.services.hasProgram = async () => true
})
afterAll(() => service.close())

const create = (type: string, target: object) => service.admin.post(beatsPath, { ...httpBeat, type, target })

test.each([
  ['http', { url: 'http://127.0.0.1:8080/' }, 'target.url', /127\.0\.0\.1 is a loopback address/],
  ['api', { url: 'https://0x7f.1/' }, 'target.url', /loopback/],
  ['latency', { url: 'http://[::ffff:10.0.0.1]/' }, 'target.url', /private/],
  ['tcp', { host: '10.1.2.3', port: 22 }, 'target.host', /private/],
  ['tls', { host: '169.254.169.254' }, 'target.host', /link-local/],
  ['ping', { host: '::1' }, 'target.host', /loopback/],
  ['dns', { host: 'example.com', resolver: '192.168.1.1:5353' }, 'target.resolver', /private/],
  ['dns', { host: '10.0.0.1', record: 'PTR' }, 'target.resolver', /must name a public resolver/],
])('with BEAT_TARGETS=public, %s of %j is refused', async (type, target, where, message) => {
  const { status, body } = await create(type, target)
  expect([status, body.errors]).toEqual([400, [{ path: where, message: expect.stringMatching(message) }]])
})

test.each([
  ['http', { url: 'https://example.com/' }],
  ['http', { url: 'http://1.1.1.1/' }],
  ['dns', { host: '10.0.0.1', record: 'PTR', resolver: '1.1.1.1' }],
  ['tcp', { host: '2606:4700::1111', port: 53 }],
])('with BEAT_TARGETS=public, %s of %j is accepted', async (type, target) => {
  expect((await create(type, target)).status).toBe(201)
})

describe('a target with a port of the own servers', () => {
  const own = { includes: (host: string, port: number) => /^(127\.0\.0\.1|localhost)$/.test(host) && port === 7233 }
  beforeAll(() => {
    service.services.beatTargets = 'any'
    service.services.ownPorts = own
  })
  afterAll(() => {
    service.services.beatTargets = 'public'
  })

  test.each([
    ['http', { url: 'http://127.1:7233/api/v1/namespaces' }, 'target.url', '127.0.0.1:7233'],
    ['tcp', { host: 'LocalHost', port: 7233 }, 'target.host', 'LocalHost:7233'],
    ['tls', { host: '127.0.0.1', port: 7233 }, 'target.host', '127.0.0.1:7233'],
    ['dns', { host: 'example.com', resolver: '127.0.0.1:7233' }, 'target.resolver', '127.0.0.1:7233'],
  ])('is refused with any target allowed: %s of %j', async (type, target, path, place) => {
    const { status, body } = await create(type, target)
    const message = `${place} is a port of this service's own servers; nothing may connect to it`
    expect([status, body.errors]).toEqual([400, [{ path, message }]])
  })

  test.each([
    ['http', { url: 'http://localhost:3000/healthz' }],
    ['ping', { host: '127.0.0.1' }],
    ['tcp', { host: '192.0.2.1', port: 7233 }],
  ])('is not %s of %j', async (type, target) => {
    expect((await create(type, target)).status).toBe(201)
  })
})

test('a stored target is accepted in a change that keeps the target', async () => {
  service.services.beatTargets = 'any'
  const target = { url: 'http://127.0.0.1/' }
  const { id } = await makeBeat(service, { target })
  service.services.beatTargets = 'public'
  const before = (await service.admin.get(`${beatsPath}/${id}`)).body
  expect((await service.admin.patch(`${beatsPath}/${id}`, { ...before, name: 'N' })).status).toBe(200)
  const other = { url: 'http://127.0.0.1/other' }
  expect((await service.admin.patch(`${beatsPath}/${id}`, { target: other })).status).toBe(400)
})
