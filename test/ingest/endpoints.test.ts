import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { makeEndpoint, makeTrigger, send } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2030-01-01T00:00:00Z') })
})
afterAll(() => service?.close())

const read = async (id: number) => (await service.admin.get(`/admin/external-event-endpoints/${id}`)).body
const rotate = (id: number, old_token_expiry: string) =>
  service.admin.post(`/admin/external-event-endpoints/${id}/rotate`, { old_token_expiry })
const later = (ms: number) => {
  service.now = new Date(service.now.getTime() + ms)
}
const HOUR = 60 * 60 * 1000

test('a token is shown at the creation and at a rotation of its endpoint, and nowhere else', async () => {
  const { id, token, body } = await makeEndpoint(service, { external_id: 'shown-once' })
  expect(token).toMatch(/^upi_[a-z0-9]{10}_[A-Za-z0-9]{40}[0-9a-f]{8}$/)
  expect(body.tokenized_url).toBe(`http://status.test/api/v1/external-events/ingest/${token}`)
  const rotated = (await rotate(id, '1h')).body
  expect(rotated.ingest_token).not.toBe(token)
  await send(service, token, { a: 1 }, { 'X-Own': `Bearer ${token}` })
  const places = [
    '/external-event-endpoints?view=full',
    `/external-event-endpoints/${id}`,
    '/external-events?view=full',
  ]
  const seen = await Promise.all(
    [...places, '/audit-events?view=full'].map((path) => service.admin.get(`/admin${path}`)),
  )
  const repeated = await service.admin.post('/admin/external-event-endpoints', {
    name: 'Alerts',
    external_id: 'shown-once',
  })
  expect(repeated.status).toBe(200)
  for (const { body: answer } of [...seen, repeated]) {
    expect(JSON.stringify(answer)).not.toContain(token)
    expect(JSON.stringify(answer)).not.toContain(rotated.ingest_token)
  }
  const stored = await service.services.system.em
    .fork()
    .execute(
      "select to_jsonb(t)::text as row from (select * from ingest_token) t union all select to_jsonb(e)::text from ingest_event e where headers::text like '%authorization%'",
    )
  expect(JSON.stringify(stored)).not.toContain(token)
})

test.each([
  ['in a header', (token: string) => ['', { 'X-External-Event-Token': token }]],
  ['as a bearer token', (token: string) => ['', { Authorization: `Bearer ${token}` }]],
  ['in the path', (token: string) => [`/${token}`, {}]],
] as [string, (token: string) => [string, Record<string, string>]][])(
  'an event is accepted with the token %s',
  async (_where, how) => {
    const { token } = await makeEndpoint(service)
    const [path, headers] = how(token)
    const url = `${service.url}/api/v1/external-events/ingest${path}`
    const response = await fetch(url, { method: 'POST', headers, body: '{"a":1}' })
    expect(response.status).toBe(202)
  },
)

const refusals: [string, string | Buffer, Record<string, string>, number, string][] = [
  ['a list', '[1]', {}, 400, 'invalid_request'],
  ['a text', '"x"', {}, 400, 'invalid_request'],
  ['null', 'null', {}, 400, 'invalid_request'],
  ['no JSON', '{"a":', {}, 400, 'invalid_request'],
  ['nothing', '', {}, 400, 'invalid_request'],
  ['an object of 70 levels', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, {}, 400, 'invalid_request'],
  ['300 KiB', `{"a":"${'x'.repeat(300 * 1024)}"}`, {}, 413, 'payload_too_large'],
  ['XML', '<a/>', { 'Content-Type': 'application/xml' }, 415, 'unsupported_media_type'],
  ['a bomb', gzipSync(`{"a":"${'x'.repeat(9_000_000)}"}`), { 'Content-Encoding': 'gzip' }, 413, 'payload_too_large'],
  ['what is no gzip', '{"a":1}', { 'Content-Encoding': 'gzip' }, 400, 'invalid_request'],
]
test.each(refusals)(
  'a body with %s is refused, and the refusal is counted',
  async (_what, body, headers, status, code) => {
    const { id, token } = await makeEndpoint(service)
    await send(service, token, { first: 1 })
    const response = await fetch(`${service.url}/api/v1/external-events/ingest`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-External-Event-Token': token, ...headers },
      body: body as never,
    })
    const { code: answered } = (await response.json()) as { code: string }
    expect([response.status, answered]).toEqual([status, code])
    await until(
      () => read(id),
      ({ refused_count, event_count }) => refused_count === 1 && event_count === 1,
    )
  },
)

test.each([
  ['application/json; charset=utf-8', '{"a":1}'],
  ['text/plain; charset=UTF-8', '{"a":1}'],
  ['application/vnd.tool+json', '{"a":1}'],
])('a body of the content type %s is accepted', async (type, body) => {
  const { token } = await makeEndpoint(service)
  expect((await send(service, token, body, { 'Content-Type': type })).status).toBe(202)
})

test('a compressed body is accepted', async () => {
  const { token } = await makeEndpoint(service)
  const response = await fetch(`${service.url}/api/v1/external-events/ingest/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: gzipSync('{"a":1}'),
  })
  expect(response.status).toBe(202)
})

test('a delivery that is repeated within a day is stored once', async () => {
  const { id, token } = await makeEndpoint(service)
  const first = await send(service, token, { n: 1 }, { 'Idempotency-Key': 'delivery-1' })
  const again = await send(service, token, { n: 1 }, { 'Idempotency-Key': 'delivery-1' })
  expect(again.body).toEqual({ status: 'accepted', event_id: first.body.event_id, duplicate: true })
  const together = await Promise.all(
    [1, 2, 3].map(() => send(service, token, { n: 2 }, { 'webhook-id': 'delivery-2' })),
  )
  expect(new Set(together.map(({ body }) => body.event_id)).size).toBe(1)
  later(25 * HOUR)
  const next = await send(service, token, { n: 1 }, { 'Idempotency-Key': 'delivery-1' })
  expect(next.body).toMatchObject({ duplicate: false })
  expect(await read(id)).toMatchObject({ event_count: 3 })
})

test('a rotated token works until its grace period ends, and the history says when', async () => {
  const { id, token } = await makeEndpoint(service)
  const rotated = (await rotate(id, '1h')).body
  expect(await read(id)).toMatchObject({
    token_prefix: rotated.token_prefix,
    previous_token: { expires_at: new Date(service.now.getTime() + HOUR).toISOString() },
  })
  later(HOUR - 1000)
  expect((await send(service, token, { a: 1 })).status).toBe(202)
  later(2000)
  expect((await send(service, token, { a: 1 })).body).toMatchObject({ code: 'ingest_token_expired' })
  expect((await send(service, rotated.ingest_token, { a: 1 })).status).toBe(202)
  await takeStep(service.services, steps['ingest-token'], { kind: 'ingest-token', pageId: service.page.id, id })
  const { body } = await service.admin.get(`/admin/workflows/ingest-token:${id}/history`)
  expect(JSON.stringify(body.events)).toContain('its grace period is over')
  expect((await read(id)).previous_token).toBeUndefined()
})

test('a second rotation within a grace period ends the oldest token at once', async () => {
  const { id, token } = await makeEndpoint(service)
  const second = (await rotate(id, '7d')).body.ingest_token
  await rotate(id, '24h')
  expect((await send(service, token, { a: 1 })).status).toBe(401)
  expect((await send(service, second, { a: 1 })).status).toBe(202)
  await rotate(id, 'immediately')
  expect((await send(service, second, { a: 1 })).status).toBe(401)
})

test('a disabled endpoint refuses events until it is enabled again', async () => {
  const { id, token } = await makeEndpoint(service)
  await service.admin.post(`/admin/external-event-endpoints/${id}/disable`, {})
  expect((await send(service, token, { a: 1 })).body).toMatchObject({ code: 'endpoint_disabled' })
  expect((await send(service, token, 'no json')).body).toMatchObject({ code: 'endpoint_disabled' })
  await service.admin.post(`/admin/external-event-endpoints/${id}/enable`, {})
  expect((await send(service, token, { a: 1 })).status).toBe(202)
})

test('an unknown token is refused whatever the body is', async () => {
  const { token } = await makeEndpoint(service)
  for (const wrong of ['', 'x', `${token}0`, token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    for (const body of ['{"a":1}', 'no json']) {
      const { status, body: answer } = await send(service, wrong, body)
      expect([wrong, status, answer.code]).toEqual([wrong, 401, 'ingest_token_invalid'])
    }
  }
})

test('an endpoint is deleted with its events and tokens, unless a trigger uses the endpoint', async () => {
  const { id, token } = await makeEndpoint(service)
  await send(service, token, { a: 1 })
  const { id: trigger } = await makeTrigger(service, id, [])
  expect((await service.admin.del(`/admin/external-event-endpoints/${id}`)).status).toBe(409)
  await service.admin.del(`/admin/external-triggers/${trigger}`)
  expect((await service.admin.del(`/admin/external-event-endpoints/${id}`)).status).toBe(200)
  expect((await send(service, token, { a: 1 })).body).toMatchObject({ code: 'ingest_token_invalid' })
})

test('two tokens that differ are refused', async () => {
  const { token } = await makeEndpoint(service)
  const { status, body } = await send(service, token, { a: 1 }, { Authorization: 'Bearer upi_other' })
  expect([status, body.errors[0].path]).toEqual([400, 'token'])
})
