import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import type { DnsTarget } from '../../src/domain/beats/types/dns.ts'
import {
  addressesIn,
  type LookUp,
  lookUpAsThisMachine,
  lookUpAt,
  ownAddresses,
  searchDomainsIn,
  searching,
} from '../../src/outbound/connections/names.ts'
import { soon } from './support/context.ts'
import { dnsServer, type Zone } from './support/dns-server.ts'
import { closeServers, httpServer } from './support/servers.ts'

const zone: Zone = {
  'example.com': [
    { type: 'A', data: '93.184.216.34' },
    { type: 'A', data: '93.184.216.35' },
    { type: 'AAAA', data: Buffer.from('26062800022000010248189325c81946', 'hex') },
    { type: 'MX', data: '10 mail.example.com' },
    { type: 'TXT', data: 'v=spf1 -ALL' },
    { type: 'SRV', data: '1 2 443 web.example.com' },
    { type: 'CAA', data: '0 issue letsencrypt.org' },
    { type: 'NS', data: 'ns1.example.com' },
  ],
  'only6.example': [{ type: 'AAAA', data: Buffer.from('00000000000000000000000000000001', 'hex') }],
  'alias.example': [{ type: 'CNAME', data: 'nothing.example' }],
  'other.example': [{ type: 'A', data: '127.0.0.1', unasked: true }],
  'alias6.example': [
    { type: 'CNAME', data: 'only6.example' },
    { type: 'AAAA', data: Buffer.from('00000000000000000000000000000001', 'hex') },
  ],
  'here.example': [{ type: 'A', data: '127.0.0.1' }],
  'short.search.example': [{ type: 'A', data: '127.0.0.9' }],
  'six.search.example': [{ type: 'AAAA', data: Buffer.from('00000000000000000000000000000001', 'hex') }],
  '34.216.184.93.in-addr.arpa': [{ type: 'PTR', data: 'example.com' }],
  'broken.example': 'SERVFAIL',
  'refused.example': 'REFUSED',
  'silent.example': 'silence',
}
let server: Awaited<ReturnType<typeof dnsServer>>
beforeAll(async () => {
  server = await dnsServer(zone)
})
afterAll(async () => {
  server.close()
  await closeServers()
})

const ask = (target: Partial<DnsTarget>, timeout_ms = 3000) =>
  checks.dns({ host: 'example.com', resolver: server.address, ...target }, soon({ timeout_ms }))

test.each<[Partial<DnsTarget>, boolean]>([
  [{}, true],
  [{ expected: '93.184.216.35' }, true],
  [{ expected: ['93.184.216.34', '93.184.216.35'] }, true],
  [{ expected: ['93.184.216.34', '10.0.0.1'] }, false],
  [{ record: 'AAAA', expected: '2606:2800:0220:1:248:1893:25C8:1946' }, true],
  [{ record: 'MX', expected: '10 MAIL.example.com.' }, true],
  [{ record: 'MX', expected: '20 mail.example.com' }, false],
  [{ record: 'TXT', expected: 'v=spf1 -ALL' }, true],
  [{ record: 'TXT', expected: 'v=spf1 -all' }, false],
  [{ record: 'SRV', expected: '1 2 443 web.example.com' }, true],
  [{ record: 'CAA', expected: '0 issue "letsencrypt.org"' }, true],
  [{ record: 'NS', expected: 'ns1.example.com' }, true],
  [{ record: 'PTR', host: '93.184.216.34', expected: 'example.com' }, true],
])('%j: %s', async (target, ok) => {
  const outcome = await ask(target)
  expect(outcome).toMatchObject({ ok, latency_ms: expect.any(Number) })
})

test('the evidence names the given and the expected records', async () => {
  const { evidence } = await ask({ expected: ['10.0.0.1'] })
  expect(evidence).toBe('The A record of example.com is 93.184.216.34, 93.184.216.35, expected 10.0.0.1')
})

test.each([
  ['nothing.example', 'The name nothing.example does not exist (NXDOMAIN)'],
  ['broken.example', 'The name server could not answer for broken.example (SERVFAIL)'],
  ['refused.example', 'The name server refused to answer for refused.example'],
  ['here.example', 'The name here.example has no record of this type', 'MX'],
  ['silent.example', 'silent.example took longer than 0.3 s (querying the A record)'],
] as [string, string, 'MX'?][])('%s: %s', async (...[host, evidence, record]) => {
  expect(await ask({ host, record }, 300)).toEqual({ ok: false, latency_ms: null, evidence })
})

const withNone = ['A', 'AAAA', 'CAA', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const
test.each([
  ...withNone.map((record) => ['alias.example', record] as const),
  ...(['MX', 'TXT', 'SRV', 'CAA', 'SOA', 'CNAME'] as const).map((record) => ['other.example', record] as const),
])('an answer of %s without a record %s is a failure', async (host, record) => {
  const evidence = `The name ${host} has no record of this type`
  expect(await ask({ host, record })).toEqual({ ok: false, latency_ms: null, evidence })
})

test('a CNAME query returns the alias', async () => {
  expect(await ask({ host: 'alias.example', record: 'CNAME', expected: 'nothing.example' })).toMatchObject({ ok: true })
})

test('a malformed answer differs from a missing record', async () => {
  zone['garbled.example'] = [{ type: 'SOA', data: Buffer.from('too short') }]
  const { evidence } = await ask({ host: 'garbled.example', record: 'SOA' })
  expect(evidence).toBe('The name garbled.example could not be looked up (EBADRESP)')
})

test('the evidence names a resolver that does not answer, by address or by name', async () => {
  expect((await ask({ resolver: '127.0.0.1:9' })).evidence).toMatch(/No name server accepts|did not answer/)
  expect(await ask({ resolver: server.address.replace('127.0.0.1', 'localhost') })).toMatchObject({ ok: true })
})

test('each check resolves its name again, IPv4 first', async () => {
  const { port } = await httpServer((_, answer) => answer.end('ok'))
  const look_up = lookUpAt([server.address])
  const target = { url: `http://here.example:${port}` }
  expect(await checks.http(target, soon({ look_up }))).toMatchObject({ ok: true })
  zone['here.example'] = 'NXDOMAIN'
  const gone = await checks.http(target, soon({ look_up }))
  expect(gone.evidence).toBe('The name here.example does not exist (NXDOMAIN)')
  const six = await httpServer((_, answer) => answer.end('ok'), '::1')
  const over6 = { url: `http://only6.example:${six.port}` }
  expect(await checks.http(over6, soon({ look_up }))).toMatchObject({ ok: true })
  const over4 = await checks.http({ ...over6, ip_family: 'ipv4' }, soon({ look_up }))
  expect(over4.evidence).toBe('The name only6.example has no record of this type')
  const slow = await checks.http({ url: 'http://silent.example' }, soon({ look_up, timeout_ms: 300 }))
  expect(slow.evidence).toBe('silent.example took longer than 0.3 s (looking up its name)')
})

test('an alias to an IPv6 address is checked over IPv6, and an alias without a record fails', async () => {
  const look_up = lookUpAt([server.address])
  const { port } = await httpServer((_, answer) => answer.end('ok'), '::1')
  const none = 'The name alias.example has no record of this type'
  expect(await checks.tcp({ host: 'alias6.example', port }, soon({ look_up }))).toMatchObject({ ok: true })
  expect(await checks.http({ url: `http://alias6.example:${port}` }, soon({ look_up }))).toMatchObject({ ok: true })
  expect((await checks.tcp({ host: 'alias.example', port }, soon({ look_up }))).evidence).toBe(none)
  expect((await checks.tcp({ host: 'alias.example', port, ip_family: 'ipv4' }, soon({ look_up }))).evidence).toBe(none)
})

test('names are resolved with the hosts file and the search domains of the machine', async () => {
  const { signal } = new AbortController()
  expect(await lookUpAsThisMachine('localhost', 4, signal)).toEqual(['127.0.0.1'])
  expect(await lookUpAsThisMachine('app.LOCALHOST.', 6, signal)).toEqual(['::1'])
  const hosts = readFileSync('/etc/hosts', 'utf8')
  const [, own] = /^(?:127[.\d]+)[ \t]+(?!localhost)(\S+)/m.exec(hosts) ?? []
  if (own) expect(await lookUpAsThisMachine(own, 4, signal)).toEqual(addressesIn(hosts, own))
  expect(addressesIn('127.0.0.1 a\n# 1.1.1.1 b\n10.0.0.1\tB  c # d\n', 'b')).toEqual(['10.0.0.1'])
  expect(searchDomainsIn('search old\nnameserver 1.1.1.1\nsearch a.b. c\n')).toEqual(['a.b.', 'c'])
  const look = lookUpAt([server.address])
  expect(await searching(look, 'short', ['none.example', 'search.example'], 4, signal)).toEqual(['127.0.0.9'])
  await expect(searching(look, 'short', ['none.example'], 4, signal)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(searching(look, 'broken.example', ['search.example'], 4, signal)).rejects.toMatchObject({
    code: 'ESERVFAIL',
  })
})

test('a name with only an IPv6 address in the hosts file is checked over IPv6', async () => {
  const none = expect.objectContaining({ code: 'ENODATA' })
  const hosts = '::1 six\n127.0.0.1 four\n'
  expect([ownAddresses(hosts, 'six', 6), ownAddresses(hosts, 'other', 4)]).toEqual([['::1'], null])
  expect(() => ownAddresses(hosts, 'six', 4)).toThrow(none)
  expect(() => ownAddresses(hosts, 'four', 6)).toThrow(none)
  const { port } = await httpServer((_, answer) => answer.end('ok'), '::1')
  const domains = ['none.example', 'search.example', 'broken.example']
  const look_up: LookUp = (...asked) => searching(lookUpAt([server.address]), asked[0], domains, asked[1], asked[2])
  expect(await checks.tcp({ host: 'six', port }, soon({ look_up }))).toMatchObject({ ok: true })
  const { evidence } = await checks.tcp({ host: 'neither', port }, soon({ look_up }))
  expect(evidence).toBe('The name neither does not exist (NXDOMAIN)')
})
