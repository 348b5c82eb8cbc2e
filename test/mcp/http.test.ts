import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isOwnOrigin } from '../../src/mcp/own-origin.ts'
import { openIncident } from '../support/incidents.ts'
import { callTool, connectClient, type Era, read } from '../support/mcp.ts'
import { messages, postMessage } from '../support/mcp-messages.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let token: string

beforeAll(async () => {
  service = await openTestService({ baseDomain: 'pages.test', deps: { trustProxy: true } })
  token = await service.token({ permission: 'write', roleKey: 'page_manager' })
})
afterAll(() => service.close())

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const bearer = () => ({ Authorization: `Bearer ${token}` })

test.each<Era>(['modern', 'legacy'])('a client of the %s era needs a token that exists', async (era) => {
  await expect(connectClient(service, undefined, { era })).rejects.toMatchObject({ status: 401 })
  await expect(connectClient(service, 'upb_x', { era })).rejects.toMatchObject({ status: 401 })
})

test('a request without a token is a 401 that names the way in', async () => {
  const { status, body, headers } = await postMessage(service.url, list, {})
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' })
  expect(headers.get('WWW-Authenticate')).toBe('Bearer')
})

test('a revoked token ends a connection', async () => {
  const { body } = await service.admin.post('/admin/api-tokens', {
    ...{ name: 'Agent', permission: 'read', role_key: 'page_viewer' },
  })
  const client = await connectClient(service, body.token)
  await client.listTools()
  await service.admin.post(`/admin/api-tokens/${body.id}/revoke`, { reason: 'over' })
  await expect(client.listTools()).rejects.toMatchObject({ status: 401 })
  await client.close()
})

test('the page is the page of the token, on every host', async () => {
  const { id } = await openIncident(service, { title: 'Here' })
  const other = await service.token({ permission: 'read', page: service.otherPage })
  for (const host of ['127.0.0.1', `${service.otherPage.public_slug}.pages.test`]) {
    const client = await connectClient(service, token, { headers: { 'X-Forwarded-Host': host } })
    expect(await read(client, 'incidents.get', { id })).toMatchObject({ title: 'Here' })
    await client.close()
  }
  const stranger = await connectClient(service, other)
  expect(await callTool(stranger, 'read', { operation: 'incidents.get', input: { id } })).toMatchObject({
    isError: true,
    value: { code: 'not_found' },
  })
  await stranger.close()
})

test('web pages of other sites are refused', async () => {
  const send = messages(service, token)
  const own = `http://${service.page.public_slug}.pages.test`
  for (const origin of ['http://status.test', own]) {
    expect(await send('tools/list', {}, { Origin: origin })).toMatchObject({ status: 200 })
  }
  const foreign = `http://${service.otherPage.public_slug}.pages.test`
  for (const origin of ['https://evil.example', 'http://status.test.evil.example', 'null', foreign]) {
    const { status, body, headers } = await send('tools/list', {}, { Origin: origin })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  }
})

test.each([
  ['http://status.test', true],
  ['http://status.test:81', false],
  ['https://status.test', false],
  ['https://one.pages.test', true],
  ['http://ONE.pages.test:8080', true],
  ['https://two.pages.test', false],
  ['https://status.customer.example', true],
  ['https://customer.example', false],
  ['file://one.pages.test', false],
  ['null', false],
  ['', false],
])('the origin %s belongs to the service: %s', (origin, isOwn) => {
  const page = { public_slug: 'one', custom_domains: ['status.customer.example'] } as TestService['page']
  expect(isOwnOrigin(origin, { baseUrl: 'http://status.test/', baseDomain: 'pages.test' }, page)).toBe(isOwn)
})

test('answers have the id of the request and are stored nowhere', async () => {
  const { status, headers } = await messages(service, token)('tools/list', {}, { 'X-Request-Id': 'mine' })
  expect(status).toBe(200)
  expect(headers.get('X-Request-Id')).toBe('mine')
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test.each([
  ['no JSON', '{', 400, -32700],
  ['too many messages', JSON.stringify(Array.from({ length: 11 }, () => JSON.parse(list))), 400, -32700],
  ['JSON that is nested too deeply', `${'['.repeat(100)}${']'.repeat(100)}`, 400, -32700],
])('a body with %s is refused', async (_name, body, status, code) => {
  const answer = await postMessage(service.url, body, bearer())
  expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status, code })
})

test('a body that is too large is refused', async () => {
  const { status } = await postMessage(service.url, JSON.stringify({ x: 'x'.repeat(1024 * 1024) }), bearer())
  expect(status).toBe(413)
})

test('there are no sessions: a client of 2025 cannot wait for messages', async () => {
  for (const method of ['GET', 'DELETE']) {
    const { status } = await fetch(new URL('/mcp', service.url), { method, headers: bearer() })
    expect(status).toBe(405)
  }
})

test('requests count as those of the API', async () => {
  const rateLimits = {
    public: 600,
    admin: 2,
    heartbeat: 600,
    ingest: 600,
    subscribe: 10,
    magic_link: 30,
    viewer_password: 10,
  }
  const limited = await openTestService({ deps: { rateLimits } })
  const send = messages(limited, await limited.token())
  const statuses = [await send('tools/list'), await send('tools/list'), await send('tools/list')]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(statuses[2]!.headers.get('X-RateLimit-Tier')).toBe('admin')
  await limited.close()
})
