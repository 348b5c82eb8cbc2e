import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const post = (body: unknown, headers?: Record<string, string>, path = '/admin/incidents') =>
  service.admin.post(path, body, headers)
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map((error) => error.path)

/** `levels` containers, one in the other. */
const nested = (levels: number, innermost = '1') => `${'{"a":'.repeat(levels)}${innermost}${'}'.repeat(levels)}`

describe('what is not JSON', () => {
  test.each(['{', '{"title":}', 'title=Down', '{"title":"Down"} x', "{'title':'Down'}", '\u0000', 'undefined'])(
    '%j is refused',
    async (body) => {
      const answer = await post(body)
      expect([answer.status, answer.body.code, pathsOf(answer.body)]).toEqual([400, 'invalid_request', ['']])
    },
  )

  test.each(['[]', '"title"', '1', 'null', 'true', '[{"title":"Down"}]'])('%s is not an object', async (body) => {
    expect((await post(body)).body.error).toBe('The body must be a JSON object.')
  })

  test('bytes that are not UTF-8', async () => {
    expect(await raw([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])).toBe(400)
  })
})

describe('what is JSON but cannot be stored', () => {
  test.each(['"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '["ok", {"deep": "\\u0000"}]'])('%s', async (text) => {
    for (const field of ['title', 'description', 'external_id', 'unknown', 'impact']) {
      expect((await post(`{"title":"Down","${field}":${text}}`)).status).toBe(400)
    }
    expect((await post(`{"name":"x","metadata":{"k":${text}}}`, {}, '/admin/hierarchy/items')).status).toBe(400)
  })

  test('a key that cannot be stored is refused', async () => {
    expect((await post('{"name":"x","metadata":{"a\\u0000":1}}', {}, '/admin/hierarchy/items')).status).toBe(400)
    expect((await post('{"\\ud800":1}')).status).toBe(400)
  })

  test('a number above the largest number is refused', async () => {
    for (const number of ['1e400', '-1e400']) {
      expect((await post(`{"title":"Down","reminder_interval_minutes":${number}}`)).status).toBe(400)
      expect((await post(`{"name":"x","metadata":{"a":${number}}}`, {}, '/admin/hierarchy/items')).status).toBe(400)
    }
  })
})

test.each([
  ['a list', `{"title":"Down","list":[${'1,'.repeat(10_000)}1]}`],
  ['lists in lists', `{"title":"Down","list":[${'[1,2],'.repeat(4000)}1]}`],
  ['an object', `{"title":"Down",${Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`)}}`],
])('a body with more values in %s than may be validated is refused with the bound', async (_what, text) => {
  const { status, body } = await post(text)
  expect([status, body.errors]).toEqual([
    400,
    [{ path: '', message: 'The body may hold at most 10000 values, including values in lists and objects.' }],
  ])
})

describe('nesting', () => {
  const item = (metadata: string) => post(`{"name":"x","metadata":${metadata}}`, {}, '/admin/hierarchy/items')

  test('64 levels are read, 65 are not', async () => {
    // The body itself is the first level.
    const read = await item(nested(63))
    expect([read.status, read.body.error]).toEqual([400, 'metadata: must be nested at most 8 levels deep'])
    expect((await item(nested(63, '{}'))).body.error).toContain('64 levels')
    const deep = await item(nested(64))
    expect([deep.status, deep.body.error]).toEqual([400, expect.stringContaining('64 levels')])
    expect((await post(nested(65))).status).toBe(400)
    expect((await post('['.repeat(65) + ']'.repeat(65))).status).toBe(400)
  })

  test('a great many levels are refused all the same', async () => {
    expect((await post('['.repeat(500_000))).status).toBe(400)
    expect((await post('['.repeat(500_000) + ']'.repeat(500_000))).status).toBe(400)
    expect((await post(nested(100_000))).status).toBe(400)
  })
})

describe('values of another kind', () => {
  const wrong: [string, unknown[]][] = [
    ['title', [1, true, [], ['Down'], {}, null, '', '   ', 'x'.repeat(301)]],
    ['description', [1, [], {}, null]],
    ['status', [1, [], ['degraded'], {}, null, '', 'unheard_of', 'resolved']],
    ['affected_items', ['x', {}, [1], ['x'], [[]], [{}], null, [null]]],
    ['lifecycle_stage_id', ['1', 0, -1, 2147483648, 1.5, 1e300, [], [1], {}, null, true]],
    ['lifecycle_stage_name', [1, [], ['Identified'], {}, null, '']],
    ['reminder_interval_minutes', ['1', 0, -1, 1.5, 43_201, [], [1]]],
    ['started_at', [1, 'yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z', [], {}, '']],
    ['started_at', ['2026-01-01T00:00:00', '2200-01-01T00:00:00Z', '+020000-01-01T00:00:00Z', '2026-13-01T00:00:00Z']],
    ['external_id', [1, '', 'a b', 'ä', 'x'.repeat(201), [], null]],
    ['notify', ['false', 0, null, []]],
  ]

  test.each(wrong)('%s', async (field, values) => {
    for (const value of values) {
      const { status, body } = await post({ title: 'Down', [field]: value })
      expect([value, status]).toEqual([value, 400])
      expect(pathsOf(body)[0]).toMatch(new RegExp(`^${field}(\\.|$)`))
    }
  })

  test('several are all named', async () => {
    const { body } = await post({ description: 1, status: [], colour: 'red' })
    expect(new Set(pathsOf(body))).toEqual(new Set(['title', 'description', 'status', 'colour']))
  })
})

describe('unknown fields', () => {
  test('are named, at the top and below', async () => {
    const { body, status } = await post({ title: 'Down', colour: 'red', affected_items: [{ slug: 'a', size: 1 }] })
    expect(status).toBe(400)
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { path: 'colour', message: 'is not a field of this request' },
        { path: 'affected_items.0.size', message: 'is not a field of this request' },
      ]),
    )
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('%j is one', async (name) => {
    const { status, body } = await post(`{"title":"Down",${JSON.stringify(name)}:{"title":"Up"}}`)
    expect([status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([400, [name]])
  })

  test('those that the service sets are refused by a create, each by its name', async () => {
    const fields = {
      id: 7,
      version: 99,
      created_at: 'whenever',
      updated_at: null,
      resolved_at: '2026-01-01T00:00:00Z',
      acknowledged_at: [],
      initial_status: 'resolved',
      lifecycle_stage: { name: 'x' },
      updates: [{ message: 'x' }],
    }
    const { body, status } = await post({ title: 'Down', ...fields })
    const message = 'is read-only: the service sets this field, leave it out'
    expect([status, body.errors]).toEqual([400, Object.keys(fields).map((path) => ({ path, message }))])
  })
})

describe('the envelope', () => {
  const down = '{"title":"Down"}'

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', 'x'])(
    'Content-Type %s is 415',
    async (type) => {
      expect((await post(down, { 'Content-Type': type })).status).toBe(415)
    },
  )

  test.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json', 'APPLICATION/JSON'])(
    'Content-Type %s is read',
    async (type) => {
      expect((await post(down, { 'Content-Type': type })).status).toBe(201)
    },
  )

  test('without a Content-Type it is 415', async () => {
    expect(await raw([Buffer.from(down)], { 'Content-Type': undefined })).toBe(415)
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'nonsense'])('Content-Encoding %s is 415', async (encoding) => {
    expect(await raw([gzipSync(down)], { 'Content-Encoding': encoding })).toBe(415)
  })

  test('Content-Encoding identity is read', async () => {
    expect(await raw([Buffer.from(down)], { 'Content-Encoding': 'identity' })).toBe(201)
  })

  test('an absent body is an empty one', async () => {
    const { body } = await post(down)
    const { status } = await service.admin.request('POST', `/admin/incidents/${body.id}/resolve`)
    expect(status).toBe(200)
  })

  test('a body of 1 MiB is read, and a body with one byte more answers 413 with and without Content-Length', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ title: 'Down', unknown: '' }).length
      return Buffer.from(JSON.stringify({ title: 'Down', unknown: 'x'.repeat(bytes - empty) }))
    }
    const limit = 1024 * 1024
    expect(await raw([sized(limit)])).toBe(400)
    expect(await raw([sized(limit + 1)])).toBe(413)
    const chunked = { 'Transfer-Encoding': 'chunked' }
    expect(await raw([sized(limit)], chunked)).toBe(400)
    expect(await raw([sized(limit + 1)], chunked)).toBe(413)
  })

  test('Content-Length that is far too much is answered before it is sent', async () => {
    expect(await raw([], { 'Content-Length': '100000000' }, { end: false })).toBe(413)
  })
})

/** A request whose bytes and headers are exactly these. */
async function raw(
  chunks: Buffer[],
  headers: Record<string, string | undefined> = {},
  { end = true } = {},
): Promise<number> {
  const token = await service.token()
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers }
  const set = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${service.url}/api/v1/admin/incidents`,
      { method: 'POST', headers: set },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
        if (!end) request.destroy()
      },
    )
    request.on('error', reject)
    if (!end) request.flushHeaders()
    for (const chunk of chunks) request.write(chunk)
    if (end) request.end()
  })
}
