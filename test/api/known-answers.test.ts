import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { makeItem } from '../support/maintenances.ts'
import { type PlainAnswer, plainRequest } from '../support/plain-request.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let lookups: jest.SpiedFunction<TestService['directory']['ofHost']>
beforeAll(async () => {
  service = await openTestService()
  for (let n = 0; n < 12; n += 1) await makeItem(service, `Item ${n}`)
  for (let n = 0; n < 2; n += 1) await service.admin.post('/admin/incidents', { title: `Incident ${n}` })
})
afterAll(() => service.close())
beforeEach(() => {
  service.services.pageChanged(service.page.id)
  lookups = jest.spyOn(service.directory, 'ofHost')
})
afterEach(() => lookups.mockRestore())

const HOME = '/'
const INCIDENTS = '/api/v1/incidents'
const COMPONENTS = '/api/v1/pages/public/first/components'

interface Asked {
  path?: string
  headers?: Record<string, string>
  method?: string
}

const ask = ({ path = INCIDENTS, headers, method }: Asked) => plainRequest(service.url + path, headers, method)

/** Whether the request was answered without looking up its page, and the answer. */
async function asked(request: Asked): Promise<{ answer: PlainAnswer; known: boolean }> {
  const before = lookups.mock.calls.length
  const answer = await ask(request)
  return { answer, known: lookups.mock.calls.length === before }
}

/** The answer as soon as it is known in front of the routes. */
const untilKnown = (request: Asked) =>
  until(
    () => asked(request),
    ({ known }) => known,
  )

const varying = { date: '', 'x-request-id': '' }

const requests: Asked[] = [
  ...[HOME, INCIDENTS, COMPONENTS, `${INCIDENTS}?limit=1`, '/api/v1/settings'].map((path) => ({ path })),
  ...['br', 'gzip', 'identity'].map((encoding) => ({ path: HOME, headers: { 'Accept-Encoding': encoding } })),
  { path: HOME, headers: { 'Accept-Language': 'de', Origin: 'https://elsewhere.example' } },
  { path: HOME, method: 'HEAD' },
  { path: COMPONENTS, method: 'HEAD', headers: { 'Accept-Encoding': 'br' } },
  { path: COMPONENTS, headers: { 'If-None-Match': '"other"' } },
  { path: COMPONENTS, headers: { 'If-None-Match': '*' } },
]

test.each(requests)('a known answer is the same as that of the routes: %j', async (request) => {
  const { answer, known } = await asked(request)
  expect(known).toBe(false)
  const again = await untilKnown(request)
  expect(again.answer.status).toBe(answer.status)
  expect({ ...again.answer.headers, ...varying }).toEqual({ ...answer.headers, ...varying })
  expect(again.answer.body.equals(answer.body)).toBe(true)
})

test.each([HOME, INCIDENTS, COMPONENTS])('a 304 at %s is the same as that of the routes', async (path) => {
  const { etag } = (await ask({ path })).headers
  // The same snapshot, but another request.
  const request = { path, headers: { 'If-None-Match': etag!, 'Accept-Language': 'en' } }
  const { answer, known } = await asked(request)
  const again = await untilKnown(request)
  expect([known, answer.status, again.answer.status]).toEqual([false, 304, 304])
  expect({ ...again.answer.headers, ...varying }).toEqual({ ...answer.headers, ...varying })
})

test('each request has an id, its own if it gives one', async () => {
  await untilKnown({})
  const id = async (given?: string) =>
    (await asked({ headers: given === undefined ? {} : { 'X-Request-Id': given } })).answer.headers['x-request-id']
  expect(await id('from-the-client')).toBe('from-the-client')
  const ids = [await id(), await id(), await id('not acceptable')]
  expect(new Set(ids).size).toBe(3)
  for (const one of ids) expect(one).toMatch(/^[0-9a-f-]{36}$/)
})

test('a change is seen at once', async () => {
  await untilKnown({})
  const { body } = await service.admin.post('/admin/incidents', { title: 'Seen at once' })
  const { answer, known } = await asked({})
  expect([known, JSON.parse(answer.body.toString()).incidents[0].id]).toEqual([false, body.id])
})

test('a page that becomes private is not found at once, and a renamed page redirects', async () => {
  const path = '/status/first'
  await untilKnown({ path: HOME })
  await ask({ path })
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect([(await ask({ path: HOME })).status, (await ask({ path })).status]).toEqual([404, 404])
  await service.admin.patch('/admin/page', { visibility: 'public' })
  await ask({ path })
  await ask({ path })
  await service.admin.patch('/admin/page', { public_slug: 'renamed' })
  expect((await ask({ path })).status).toBe(308)
  await service.admin.patch('/admin/page', { public_slug: 'first' })
})

test('a request with a credential is never answered with a known answer, and its answer is not remembered', async () => {
  const headers = { Authorization: 'Bearer upb_wrong' }
  await untilKnown({ path: HOME })
  for (let n = 0; n < 3; n += 1) {
    const { answer, known } = await asked({ path: HOME, headers })
    expect([known, answer.headers['cache-control']]).toEqual([false, 'no-store'])
  }
  expect((await asked({ path: HOME })).answer.headers['cache-control']).toBe('public, no-cache')
})

test('errors and other methods are answered by the routes', async () => {
  await untilKnown({ path: HOME })
  expect((await ask({ path: HOME, method: 'PUT' })).status).toBe(405)
  for (let n = 0; n < 3; n += 1) expect((await asked({ path: '/api/v1/incidents/9999' })).known).toBe(false)
})

test('known answers are counted and limited like all public reads, and measured', async () => {
  const limits = { public: 4, admin: 9, heartbeat: 2, ingest: 600, subscribe: 10, magic_link: 30, viewer_password: 10 }
  const metrics = createMetrics()
  const limited = await openTestService({ deps: { rateLimits: limits, metrics } })
  const answers = []
  for (let n = 0; n < 6; n += 1) answers.push(await plainRequest(`${limited.url}/`))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  for (const { headers } of answers) {
    expect([headers['x-ratelimit-tier'], headers['x-ratelimit-limit']]).toEqual(['public', '4'])
  }
  expect(answers[5]!.headers['retry-after']).toMatch(/^\d+$/)
  const { values } = await metrics.requests.get()
  const counted = values.find(({ metricName, labels }) => metricName?.endsWith('_count') && labels.status === '200')
  expect([counted?.labels.route, counted?.value]).toEqual(['/', 4])
  await limited.close()
})
