import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'
import { insertHeartbeat } from '../support/stored-beats.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ deps: { rateLimits: { public: 4, admin: 3, heartbeat: 2 } } })
})
afterAll(() => house.close())

const times = async (count: number, work: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push((await work()).status)
  return statuses
}

test('each token has its own count', async () => {
  const one = house.as(await house.token())
  const other = house.as(await house.token())
  expect(await times(5, () => one.get('/context'))).toEqual([200, 200, 200, 429, 429])
  expect(await times(3, () => other.get('/admin/incidents'))).toEqual([200, 200, 200])
})

test('every answer says what the limit is, and a refusal when to come again', async () => {
  const caller = house.as(await house.token())
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
  const anyone = house.as(undefined)
  expect(await times(2, () => anyone.get('/incidents'))).toEqual([200, 200])
  expect(await times(3, () => anyone.get('/pages/public/current-host'))).toEqual([200, 200, 429])
  const { headers } = await anyone.get('/incidents')
  expect([headers.get('x-ratelimit-tier'), headers.get('x-ratelimit-limit')]).toEqual(['public', '4'])
})

test('a guessed token is counted too', async () => {
  const guesses = await times(6, () => house.as('upb_wrong').get('/admin/incidents'))
  expect(guesses.at(0)).toBe(401)
  expect(guesses.at(-1)).toBe(429)
})

test('each heartbeat has its own count, and who guesses is counted by address', async () => {
  const anyone = house.as(undefined)
  const [{ path: one }, { path: other }] = [
    await insertHeartbeat(house, { period_seconds: 60 }),
    await insertHeartbeat(house, { period_seconds: 60 }),
  ]
  expect(await times(3, () => anyone.post(`${one}/fail`))).toEqual([200, 200, 429])
  expect(await times(3, () => anyone.get(other))).toEqual([200, 200, 429])
  const { headers } = await anyone.get(other)
  expect([headers.get('x-ratelimit-tier'), headers.get('x-ratelimit-limit')]).toEqual(['heartbeat', '2'])
  const guess = (n: number) => `/heartbeats/uph_${String(n).repeat(40)}`
  let n = 0
  expect(await times(4, () => anyone.get(guess(n++)))).toEqual([404, 404, 429, 429])
})

test('what watches the service is not counted', async () => {
  expect(new Set(await times(10, () => house.admin.get('//healthz')))).toEqual(new Set([200]))
})
