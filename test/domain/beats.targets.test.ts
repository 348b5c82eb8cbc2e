import { expect, test } from '@jest/globals'
import { nextOfCron } from '../../src/domain/beats/types/cron.ts'
import { type BeatType, beatTypes, types } from '../../src/domain/beats/types/index.ts'
import { parseInput } from '../../src/domain/kernel/parse.ts'
import { makeAuthority } from '../checks/support/certificates.ts'

const url = 'https://example.com/health'
const host = 'example.com'
const manyTexts = Array.from({ length: 100 }, (_, index) => `secret ${index}`)
const assertion = { source: 'json', path: '$.a', operator: 'exists' }

test('the types are those of the contract', () => {
  const all = ['http', 'api', 'latency', 'tcp', 'dns', 'tls', 'ping', 'heartbeat', 'external_event']
  expect(beatTypes).toEqual(all)
})

test.each<[BeatType, object]>([
  ['api', { url }],
  ['http', { url, method: 'POST', headers: { 'X-A': '1' }, body: '{}', expected_status: ['2xx', 304, '201'] }],
  ['latency', { url, follow_redirects: false, ip_family: 'ipv6', expected_status: 204 }],
  ['api', { url, assertions: [assertion, { source: 'body', operator: 'regex', value: 'ok|fine' }] }],
  ['tcp', { host: '::1', port: 25, send: 'EHLO me\r\n', expect: '250' }],
  ['dns', { host, record: 'MX', expected: ['10 a.example'], resolver: '[2606:4700::1111]:53' }],
  ['dns', { host, expected: '1.2.3.4' }],
  ['tls', { host, port: 8443, server_name: 'other.example' }],
  ['ping', { host, count: 5 }],
  ['heartbeat', { period_seconds: 60, grace_seconds: 30 }],
  ['heartbeat', { cron: '*/5 2 * * 1-5', timezone: 'Europe/Berlin' }],
  ['external_event', { kind: 'external_event' }],
])('a target of the type %s is accepted: %j', (type, target) => {
  expect(parseInput(types[type].target, target)).toEqual(target)
})

test.each<[BeatType, object, string]>([
  ['http', {}, 'url'],
  ['http', { url: 'example.com' }, 'url'],
  ['http', { url: 'ftp://example.com' }, 'url'],
  ['http', { url: 'https://user:pass@example.com' }, 'url'],
  ['http', { url: 'http://' }, 'url'],
  ['http', { url, method: 'CONNECT' }, 'method'],
  ['http', { url, body: 'x' }, 'body'],
  ['http', { url, headers: { 'a b': '1' } }, 'headers.a b'],
  ['http', { url, headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
  ['http', { url, headers: { 'Content-Length': '1' } }, 'headers.Content-Length'],
  ['http', { url, headers: { a: '1', A: '2' } }, 'headers.A'],
  ['http', { url, expected_status: 99 }, 'expected_status'],
  ['http', { url, expected_status: '6xx' }, 'expected_status'],
  ['http', { url, expected_status: [] }, 'expected_status'],
  ['http', { url, nonsense: 1 }, 'nonsense'],
  ['http', { url, ip_family: 4 }, 'ip_family'],
  ['http', { url, ca: 'none' }, 'ca'],
  ['http', { url, client_certificate: { certificate: 'x', key: 'y' } }, 'client_certificate.certificate'],
  ['api', { url, assertions: [{ source: 'json', operator: 'exists' }] }, 'assertions.0.path'],
  ['api', { url, assertions: [assertion, { ...assertion, path: `$.${'a'.repeat(500)}` }] }, 'assertions.1.path'],
  ['api', { url, assertions: [{ ...assertion, operator: 'like' }] }, 'assertions.0.operator'],
  ['api', { url, assertions: [{ ...assertion, operator: 'regex', value: '(a{50}){50}' }] }, 'assertions.0.value'],
  ['api', { url, headers: { Cookie: 'a=b;'.repeat(200) } }, 'headers'],
  [
    'api',
    { url, assertions: Array(3).fill({ ...assertion, path: '$.token', operator: 'in', value: manyTexts }) },
    'assertions',
  ],
  ['api', { url, assertions: [{ ...assertion, operator: 'equals', value: {} }] }, 'assertions.0.value'],
  ['api', { url, assertions: [{ source: 'header', path: 'a b', operator: 'exists' }] }, 'assertions.0.path'],
  ['api', { url, assertions: [{ source: 'body', path: '$', operator: 'exists' }] }, 'assertions.0.path'],
  ['tcp', { host }, 'port'],
  ['tcp', { host, port: 0 }, 'port'],
  ['tcp', { host: 'http://example.com', port: 80 }, 'host'],
  ['dns', { host, record: 'ANY' }, 'record'],
  ['dns', { host, resolver: '1.1.1.1:0' }, 'resolver'],
  ['tls', { host, server_name: 'a/b' }, 'server_name'],
  ['ping', { host: '-c', count: 1 }, 'host'],
  ['ping', { host, count: 1000 }, 'count'],
  ['heartbeat', {}, 'period_seconds'],
  ['heartbeat', { period_seconds: 0 }, 'period_seconds'],
  ['heartbeat', { period_seconds: 60, cron: '* * * * *' }, 'cron'],
  ['heartbeat', { cron: '61 * * * *' }, 'cron'],
  ['heartbeat', { cron: '* * * * * *' }, 'cron'],
  ['heartbeat', { cron: '0 0 30 2 *' }, 'cron'],
  ['heartbeat', { cron: '* * * * *', timezone: 'Mars/Base' }, 'timezone'],
  ['heartbeat', { period_seconds: 60, timezone: 'UTC' }, 'timezone'],
  ['heartbeat', { period_seconds: 60, grace_seconds: -1 }, 'grace_seconds'],
  ['external_event', { kind: 'other' }, 'kind'],
  ['external_event', { kind: 'external_event', url }, 'url'],
])('a target of the type %s is refused: %j at %s', (type, target, path) => {
  const parse = () => parseInput(types[type].target, target)
  expect(parse).toThrow(
    expect.objectContaining({ details: { errors: expect.arrayContaining([expect.objectContaining({ path })]) } }),
  )
})

test.each(['6xx', ['2xx', '6xx']])(
  'the message about the expected status %j says what a status is',
  (expected_status) => {
    const { error } = types.http.target.safeParse({ url, expected_status })
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be a status such as 200, a class such as "2xx", or a list of these',
    ])
  },
)

const scheme = /^must be a URL that starts with http/
const noHost = /^has a host that is not valid: \S+ is neither/
const noPort = /^must have a port from 1 to 65535/
test.each([
  ['example.com', scheme],
  ['ftp://example.com', scheme],
  ['//example.com', scheme],
  ['http://1270.0.1/', noHost],
  ['http://a%20b/', noHost],
  ['http://a b/', /^has a host that is not valid: a b is neither/],
  ['https://user:pass@1270.0.1:80/x', /^has a host that is not valid: 1270.0.1 is neither/],
  ['http://[fe80::1%25lo]/', noHost],
  ['http://localhost:99999/', noPort],
  ['http://localhost:0/', noPort],
  ['https://[::1]:70000', noPort],
  ['http://localhost:http/', noPort],
  ['http://', /^must name a host/],
  ['http://:80/', /^must name a host/],
])('the message names the problem of the URL %s', (wrong, message) => {
  const { error } = types.http.target.safeParse({ url: wrong })
  expect(error?.issues).toEqual([expect.objectContaining({ path: ['url'], message: expect.stringMatching(message) })])
})

test.each(['http://localhost:1/', 'https://a.example:65535', 'http://[::1]:8080/x', 'HTTP://127.1/'])(
  '%s is fine',
  (fine) => expect(types.http.target.safeParse({ url: fine }).success).toBe(true),
)

const withTls = ['http', 'api', 'latency', 'tls']
const connecting = [...withTls, 'tcp', 'dns', 'ping']
const least: Record<BeatType, object> = {
  ...{
    http: { url },
    api: { url },
    latency: { url },
    tcp: { host, port: 25 },
    dns: { host },
    tls: { host },
    ping: { host },
  },
  ...{ heartbeat: { period_seconds: 60 }, external_event: { kind: 'external_event' } },
}

test.each(beatTypes)(
  'a target of the type %s takes a ca, a client certificate and a family where they do something',
  (type) => {
    const authority = makeAuthority()
    const { ca } = authority
    const { cert: certificate, key } = authority.certificate('DNS:a')
    authority.remove()
    const takes = (more: object) => types[type].target.safeParse({ ...least[type], ...more }).success
    expect(takes({})).toBe(true)
    expect(takes({ ca })).toBe(withTls.includes(type))
    expect(takes({ client_certificate: { certificate, key } })).toBe(withTls.includes(type))
    expect(takes({ ip_family: 'ipv4' })).toBe(connecting.includes(type))
  },
)

test('fields without effect are refused', () => {
  const authority = makeAuthority()
  const { ca } = authority
  authority.remove()
  const problems = (target: object) =>
    types.http.target.safeParse(target).error?.issues.map(({ path, message }) => [path.join('.'), message])
  const plain = 'http://a.example/'
  expect(problems({ url: plain, ca, follow_redirects: false })).toEqual([['ca', expect.stringContaining('http://')]])
  expect(problems({ url: plain, ca })).toBeUndefined()
  expect(problems({ url, ca, follow_redirects: false })).toBeUndefined()
  const body = { source: 'body', operator: 'contains', value: 'ok' }
  const header = { source: 'header', path: 'ETag', operator: 'exists' }
  expect(problems({ url, method: 'HEAD', assertions: [header, body, assertion] })).toEqual([
    ['assertions.1.source', expect.stringContaining('HEAD')],
    ['assertions.2.source', expect.stringContaining('HEAD')],
  ])
  expect(problems({ url, method: 'HEAD', assertions: [header] })).toBeUndefined()
  expect(problems({ url, assertions: [body] })).toBeUndefined()
})

test('a client certificate needs its own key', () => {
  const authority = makeAuthority()
  const [own, other] = [authority.certificate('DNS:a'), authority.certificate('DNS:b')]
  const target = (key: string) => ({ url, ca: authority.ca, client_certificate: { certificate: own.cert, key } })
  expect(types.http.target.safeParse(target(own.key)).success).toBe(true)
  expect(() => parseInput(types.http.target, target(other.key))).toThrow('client_certificate.key: does not belong')
  for (const follow_redirects of [true, false]) {
    const plain = { client_certificate: target(own.key).client_certificate, url: 'HTTP://a.example/', follow_redirects }
    expect(() => parseInput(types.http.target, plain)).toThrow('client_certificate: is for https://')
  }
  authority.remove()
})

test('the timezone of a heartbeat takes its usual spelling', () => {
  const target = { cron: '0 12 * * *', timezone: 'asia/tokyo' }
  expect(parseInput(types.heartbeat.target, target)).toEqual({ ...target, timezone: 'Asia/Tokyo' })
})

test('a cron expression is read in its timezone, across a clock change', () => {
  const next = (after: string) => nextOfCron('30 2 * * *', 'Europe/Berlin', new Date(after))?.toISOString()
  expect(next('2026-03-27T12:00:00Z')).toBe('2026-03-28T01:30:00.000Z')
  expect(next('2026-03-29T12:00:00Z')).toBe('2026-03-30T00:30:00.000Z')
})
