import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { countRequests } from '../../src/web/request-counts.ts'
import { insertHeartbeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({
    deps: {
      rateLimits: {
        public: 4,
        admin: 3,
        heartbeat: 2,
        ingest: 600,
        subscribe: 10,
        magic_link: 30,
        viewer_password: 10,
      },
    },
  })
})
afterAll(() => service.close())

const times = async (count: number, work: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push((await work()).status)
  return statuses
}

test('each token has its own count', async () => {
  const one = service.as(await service.token())
  const other = service.as(await service.token())
  expect(await times(5, () => one.get('/context'))).toEqual([200, 200, 200, 429, 429])
  expect(await times(3, () => other.get('/admin/incidents'))).toEqual([200, 200, 200])
})

test('every answer holds the limit, and a refusal holds the time of the next attempt', async () => {
  const caller = service.as(await service.token())
  const first = await caller.get('/admin/incidents')
  expect(first.headers.get('x-ratelimit-tier')).toBe('admin')
  expect(first.headers.get('x-ratelimit-limit')).toBe('3')
  expect(first.headers.get('x-ratelimit-window-seconds')).toBe('60')
  expect(first.headers.get('retry-after')).toBeNull()
  await times(2, () => caller.get('/admin/incidents'))
  const { status, body, headers } = await caller.get('/admin/incidents')
  expect(status).toBe(429)
  expect(body).toEqual({ error: expect.any(String), code: 'rate_limited', request_id: expect.any(String) })
  expect(headers.get('x-ratelimit-tier')).toBe('admin')
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
})

test('public reads are counted by address, whatever they read', async () => {
  const anyone = service.as(undefined)
  expect(await times(2, () => anyone.get('/incidents'))).toEqual([200, 200])
  expect(await times(3, () => anyone.get('/pages/public/current-host'))).toEqual([200, 200, 429])
  const { headers } = await anyone.get('/incidents')
  expect([headers.get('x-ratelimit-tier'), headers.get('x-ratelimit-limit')]).toEqual(['public', '4'])
})

test('a guessed token is counted too', async () => {
  const guesses = await times(6, () => service.as('upb_wrong').get('/admin/incidents'))
  expect(guesses.at(0)).toBe(401)
  expect(guesses.at(-1)).toBe(429)
})

test('each heartbeat has its own count, and who guesses is counted by address', async () => {
  const anyone = service.as(undefined)
  const [{ path: one }, { path: other }] = [
    await insertHeartbeat(service, { period_seconds: 60 }),
    await insertHeartbeat(service, { period_seconds: 60 }),
  ]
  expect(await times(3, () => anyone.post(`${one}/fail`))).toEqual([200, 200, 429])
  expect(await times(3, () => anyone.get(other))).toEqual([200, 200, 429])
  const { headers } = await anyone.get(other)
  expect([headers.get('x-ratelimit-tier'), headers.get('x-ratelimit-limit')]).toEqual(['heartbeat', '2'])
  const guess = (n: number) => `/heartbeats/uph_${String(n).repeat(40)}`
  let n = 0
  expect(await times(4, () => anyone.get(guess(n++)))).toEqual([404, 404, 429, 429])
})

describe('by address', () => {
  let proxied: TestService
  beforeAll(async () => {
    const rateLimits = {
      public: 4,
      admin: 3,
      heartbeat: 600,
      ingest: 600,
      subscribe: 10,
      magic_link: 30,
      viewer_password: 10,
    }
    proxied = await openTestService({ deps: { rateLimits, trustProxy: true } })
  })
  afterAll(() => proxied.close())

  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const statuses = async (count: number, method: string, path: string, headers: Record<string, string>) =>
    times(count, () => proxied.as(undefined).request(method, path, undefined, headers))

  let used = 0
  test.each([
    ['an address without anything', 'GET', '/nowhere', {}, 404],
    ['a path above the API', 'GET', '//nowhere', {}, 404],
    ['another method of a public read', 'DELETE', '/incidents', {}, 405],
    ['another method of an admin path', 'PUT', '/admin/incidents', {}, 405],
    ['another method of a document', 'POST', '//api/docs', {}, 405],
    ['the OpenAPI document', 'GET', '/openapi.json', {}, 200],
    ['the docs', 'GET', '//api/docs', {}, 200],
    ['a script of the docs', 'GET', '//api/docs/start.js', {}, 200],
    ['a style of the docs', 'HEAD', '//api/docs/swagger-ui.css', {}, 200],
    ['the page', 'GET', '//', {}, 200],
    ['a preflight', 'OPTIONS', '/incidents', { 'Access-Control-Request-Method': 'GET' }, 204],
  ])('%s counts as a public read', async (_what, method, path, headers, status) => {
    used += 2
    const seen = await statuses(5, method, path, { ...headers, ...from(`203.0.113.${used}`) })
    expect(seen).toEqual([status, status, status, status, 429])
    // Of another address nothing was counted.
    expect(await statuses(1, method, path, { ...headers, ...from(`203.0.113.${used + 1}`) })).toEqual([status])
  })

  test('addresses of one IPv6 network of 64 bits are counted together', async () => {
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::', '2001:DB8:1:2:0:0:0:9']
    for (const address of addresses) expect(await statuses(1, 'GET', '/nowhere', from(address))).toEqual([404])
    expect(await statuses(1, 'GET', '/nowhere', from('2001:db8:1:2::5'))).toEqual([429])
    expect(await statuses(1, 'GET', '/nowhere', from('2001:db8:1:3::5'))).toEqual([404])
  })

  test('unknown heartbeats are refused after sixty, before they are looked up, and known ones still answered', async () => {
    const { path: known } = await insertHeartbeat(proxied, { period_seconds: 60 })
    const { path: late } = await insertHeartbeat(proxied, { period_seconds: 60 })
    expect(await statuses(1, 'GET', known, from('198.51.100.1'))).toEqual([200])
    let n = 0
    const guesses = await times(62, () => {
      n += 1
      return proxied.as(undefined).get(`/heartbeats/uph_${String(n).padStart(40, '0')}`, from('198.51.100.1'))
    })
    expect([new Set(guesses.slice(0, 59)), guesses.at(-1)]).toEqual([new Set([404]), 429])
    // No address with unknown tokens costs a look-up any more: a heartbeat not known yet is refused as well.
    expect(await statuses(1, 'GET', late, from('198.51.100.1'))).toEqual([429])
    expect(await statuses(1, 'GET', known, from('198.51.100.1'))).toEqual([200])
    expect(await statuses(1, 'GET', late, from('198.51.100.2'))).toEqual([200])
    expect(await statuses(1, 'GET', late, from('198.51.100.1'))).toEqual([200])
  })

  test('what cannot be a token of a heartbeat is counted as an unknown one', async () => {
    const seen = await statuses(62, 'GET', '/heartbeats/nonsense', from('198.51.100.9'))
    expect([seen.at(0), seen.at(-1)]).toEqual([404, 429])
    const { body } = await proxied.as(undefined).get('/heartbeats/nonsense', from('198.51.100.9'))
    expect(body.error).toContain(
      'More than 600 requests from one address, of which each with an unknown token counts as 10, in a minute',
    )
  })
})

describe('counts of requests', () => {
  let now = 0
  const counts = (maxKeys: number) => countRequests(60_000, maxKeys, () => now)

  test('end with their window, and are taken back', () => {
    const tally = counts(10)
    expect([tally.add('a'), tally.add('a', 2)]).toEqual([
      { count: 1, endsInMs: 60_000 },
      { count: 3, endsInMs: 60_000 },
    ])
    now += 59_999
    expect(tally.add('a', -1)).toEqual({ count: 2, endsInMs: 1 })
    now += 1
    expect(tally.add('a')).toEqual({ count: 1, endsInMs: 60_000 })
    expect(tally.add('never seen', -1).count).toBe(0)
  })

  test('are kept of so many keys at most, and of none longer than its window', () => {
    const tally = counts(1000)
    for (let n = 0; n < 5000; n += 1) tally.add(`key ${n}`)
    expect([tally.size, tally.add('key 4999').count, tally.add('key 0').count]).toEqual([1000, 2, 1])
    now += 60_000
    tally.add('later')
    expect(tally.size).toBe(1)
  })
})

test('what watches the service is not counted', async () => {
  expect(new Set(await times(10, () => service.admin.get('//healthz')))).toEqual(new Set([200]))
})
