import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import { CheckImpossible } from '../../src/outbound/connections/failure.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)

const document = {
  status: 'ok',
  count: 7,
  services: [
    { name: 'a', up: true },
    { name: 'b', up: false },
  ],
}

async function asserting(assertion: Assertion, body: string | Buffer = JSON.stringify(document), headers = {}) {
  const { url } = await httpServer((_, answer) => answer.writeHead(200, { 'X-Version': '12', ...headers }).end(body))
  return checks.api({ url, assertions: [assertion] }, soon())
}

test.each<[Assertion, string | null]>([
  [{ source: 'json', path: '$.status', operator: 'equals', value: 'ok' }, null],
  [
    { source: 'json', path: '$.status', operator: 'eq', value: 'up' },
    'The JSON at $.status is "ok", expected it to be "up"',
  ],
  [
    { source: 'json', path: '$.count', operator: 'less_than', value: 5 },
    'The JSON at $.count is 7, expected it to be under 5',
  ],
  [{ source: 'json', path: '$.services[?@.name=="b"].up', operator: 'equals', value: false }, null],
  [{ source: 'json', path: '$.nothing', operator: 'exists' }, 'The JSON at $.nothing is missing'],
  [
    { source: 'json', path: '$.status', operator: 'exists', value: false },
    'The JSON at $.status exists, expected none',
  ],
  [
    { source: 'json', path: '$.nothing', operator: 'in', value: [1] },
    'The JSON at $.nothing is missing, expected it to be one of [1]',
  ],
  [{ source: 'header', path: 'x-version', operator: 'greater_than', value: 11 }, null],
  [
    { source: 'header', path: 'X-Version', operator: 'regex', value: '^9' },
    'The header X-Version is "12", expected it to match "^9"',
  ],
  [{ source: 'body', operator: 'contains', value: '"count":7' }, null],
  [{ source: 'body', operator: 'contains', value: 'gone' }, 'The body does not match: expected it to contain "gone"'],
])('%j: %s', async (assertion, evidence) => {
  const outcome = await asserting(assertion)
  expect(outcome.ok).toBe(evidence === null)
  if (evidence) expect(outcome).toMatchObject({ evidence, status_code: 200, latency_ms: expect.any(Number) })
})

test('the evidence names a body that is not JSON or too deep for its path', async () => {
  const anywhere: Assertion = { source: 'json', path: '$..a', operator: 'exists' }
  expect((await asserting(anywhere, '<html>')).evidence).toBe('The body is not JSON')
  expect((await asserting(anywhere, '['.repeat(100_000) + ']'.repeat(100_000))).evidence).toMatch(/too deep/)
  expect((await asserting(anywhere, `[${'1,'.repeat(100_000)}1]`)).evidence).toBe('The JSON at $..a is missing')
  expect((await asserting({ ...anywhere, path: '$' }, 'null')).ok).toBe(true)
})

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a body in %s is unpacked up to 256 KiB', async (encoding, pack) => {
  const headers = { 'content-encoding': encoding }
  const assertion: Assertion = { source: 'json', path: '$.status', operator: 'equals', value: 'ok' }
  expect(await asserting(assertion, pack(JSON.stringify(document)), headers)).toMatchObject({ ok: true })
  const long = pack(Buffer.alloc(1024 * 1024, ' '))
  expect((await asserting(assertion, long, headers)).evidence).toMatch(/longer than 256 KiB/)
  expect((await asserting(assertion, 'not packed', headers)).evidence).toMatch(
    /is not valid .*, although its Content-Encoding header/,
  )
})

test('a body of 240 MB that is packed into 256 KiB is not unpacked as a whole', async () => {
  const bomb = gzipSync(Buffer.alloc(240 * 1024 * 1024), { level: 9 })
  expect(bomb.length).toBeLessThan(256 * 1024)
  const before = process.memoryUsage().rss
  const headers = { 'content-encoding': 'gzip' }
  await asserting({ source: 'body', operator: 'contains', value: 'x' }, bomb, headers)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('a truncated packed body is unpacked up to its end', async () => {
  const noise = gzipSync(Buffer.concat([Buffer.from('first'), randomBytes(400_000)]))
  const headers = { 'content-encoding': 'gzip' }
  const found = await asserting({ source: 'body', operator: 'contains', value: 'first' }, noise, headers)
  expect(found.ok).toBe(true)
})

test('the body is decoded with the charset of the answer', async () => {
  const latin = Buffer.from('gr\xfcn', 'latin1')
  const headers = { 'content-type': 'text/plain; charset=iso-8859-1' }
  expect((await asserting({ source: 'body', operator: 'contains', value: 'grün' }, latin, headers)).ok).toBe(true)
})

test('the evidence contains no secret, even if the target repeats the secret', async () => {
  const { url } = await httpServer((request, answer) => {
    answer.setHeader('Set-Cookie', 'session=from-the-server')
    answer.end(
      JSON.stringify({
        echo: `${request.headers.authorization} ${request.url}`,
        password: 'hunter22',
        long: `${'-'.repeat(60)}${request.headers.authorization}`,
      }),
    )
  })
  const ask = async (assertion: Assertion) => {
    const headers = { Authorization: 'Bearer very-secret-value' }
    const target = { url: `${url}/?api_key=in%2Dthe%2Durl`, headers, assertions: [assertion] }
    return (await checks.api(target, soon())).evidence
  }
  const echo = await ask({ source: 'json', path: '$.echo', operator: 'equals', value: 'x' })
  expect(echo).toMatch(/^The JSON at \$\.echo is "•••/)
  expect(echo).not.toMatch(/very-secret|in-the-url|in%2Dthe/)
  const cut = await ask({ source: 'json', path: '$.long', operator: 'equals', value: 'x' })
  expect(cut).not.toMatch(/very/)
  const cookie = await ask({ source: 'header', path: 'Set-Cookie', operator: 'contains', value: 'wanted-cookie' })
  expect(cookie).toBe('The header Set-Cookie does not match, expected it to contain another value')
  expect(await ask({ source: 'json', path: '$.password', operator: 'eq', value: 'x' })).not.toMatch(/hunter/)
})

test('assertions that cost too much CPU time fail the check, and the evidence names the last assertion', async () => {
  const { url } = await httpServer((_, answer) => answer.end('{}'))
  const assertions: Assertion[] = [
    { source: 'json', path: '$', operator: 'exists' },
    { source: 'json', path: '$.a', operator: 'regex', value: 'x' },
  ]
  const evaluate = async () => ({ ended: 'too_expensive' as const, at: 1 })
  const outcome = await checks.api({ url, assertions }, soon({ evaluate }))
  expect(outcome).toMatchObject({ ok: false, status_code: 200 })
  expect(outcome.evidence).toBe(
    'The assertions need too much CPU time for this answer: the evaluation stopped at regex on $.a',
  )
})

test('an overloaded evaluator makes the check impossible instead of failed', async () => {
  const { url } = await httpServer((_, answer) => answer.end('{}'))
  const assertions: Assertion[] = [{ source: 'json', path: '$', operator: 'exists' }]
  const evaluate = async () => ({ ended: 'overloaded' as const })
  await expect(checks.api({ url, assertions }, soon({ evaluate }))).rejects.toThrow(CheckImpossible)
})

test('the time of an evaluation does not count as time of the target', async () => {
  const { url } = await httpServer((_, answer) => answer.end('{}'))
  const assertions: Assertion[] = [{ source: 'json', path: '$', operator: 'exists' }]
  const timeout_ms = 1500
  const evaluate = async () => {
    await sleep(timeout_ms)
    return [{ met: true as const }]
  }
  expect(await checks.api({ url, assertions }, soon({ timeout_ms, evaluate }))).toMatchObject({ ok: true })
})

test('a check without assertions evaluates nothing', async () => {
  const { url } = await httpServer((_, answer) => answer.end('{}'))
  const evaluate = () => Promise.reject(new Error('nothing is to be evaluated'))
  expect(await checks.api({ url }, soon({ evaluate }))).toMatchObject({ ok: true })
})
