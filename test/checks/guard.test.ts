import { afterAll, afterEach, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { notPublic } from '../../src/outbound/address-rules.ts'
import { lookUpAt } from '../../src/outbound/connections/names.ts'
import { readHost, readPlace } from '../../src/outbound/host-rules.ts'
import { soon } from './support/context.ts'
import { dnsServer } from './support/dns-server.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)
const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

const guarded = soon({ guard: 'public', timeout_ms: 5000 })

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::', '64:ff9b::7f00', '64:ff9b:1::1', '100::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
  ...['2002:a9fe:a9fe::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fec0::1'],
  ...['ff02::1', '4000::1'],
])('%s is not public', (address) => {
  expect(notPublic(address)).toMatch(/ address/)
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...[
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '64:ff9b::808:808',
  ],
])('%s is public', (address) => {
  expect(notPublic(address)).toBe(null)
})

const spellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
  ],
  ...['0X7F.0x0.0x0.0X1', '１２７.０.０.１', '127。0。0。1', '①②⑦.0.0.1', '127．0．0．1', '0x7f.0.0.1.'],
]
test.each(spellings)('every type of check refuses %s, a spelling of 127.0.0.1', async (host) => {
  expect(readHost(host)).toEqual({ address: '127.0.0.1', family: 4 })
  const evidence = expect.stringContaining('127.0.0.1 is a loopback address; only public addresses may be reached here')
  const refused = { ok: false, latency_ms: null, refused: true }
  expect(await checks.http({ url: `http://${host}:1/` }, guarded)).toEqual({ ...refused, evidence })
  for (const check of [
    checks.tcp({ host, port: 1 }, guarded),
    checks.tls({ host, port: 1 }, guarded),
    checks.ping({ host }, guarded),
    checks.dns({ host: 'example.com', resolver: host }, guarded),
    checks.dns({ host: 'example.com', resolver: `${host}:53` }, guarded),
  ]) {
    const outcome = await check
    expect(outcome).toMatchObject(refused)
    expect(outcome.evidence).toMatch(/ is a loopback address; only public addresses may be reached here$/)
  }
})

test.each([
  ['[::1]', 'loopback'],
  ['[0:0:0:0:0:0:0:1]', 'loopback'],
  ['[::ffff:127.0.0.1]', 'loopback'],
  ['[::ffff:7f00:0001]', 'loopback'],
  ['[64:FF9B::10.0.0.1]', 'private'],
  ['[2002:7f00:1::]', '6to4'],
  ['[fe80::1]', 'link-local'],
  ['169.254.169.254', 'link-local'],
  ['2852039166', 'link-local'],
  ['0xa9fea9fe', 'link-local'],
  ['localhost', 'loopback'],
  ['LOCALHOST.', 'loopback'],
  ['a.localhost', 'loopback'],
])('a check of http://%s is refused as %s', async (host, what) => {
  const { evidence } = await checks.http({ url: `http://${host}/` }, guarded)
  expect(evidence).toMatch(new RegExp(`${what} address; only public`))
})

test('a name with any address that is not public is refused, and checks connect to the verified addresses', async () => {
  const zone = {
    'mixed.example': [
      { type: 'A' as const, data: '1.1.1.1' },
      { type: 'A' as const, data: '10.1.2.3' },
    ],
  }
  const server = await dnsServer(zone)
  open.push(server)
  const look_up = lookUpAt([server.address])
  const { evidence } = await checks.tcp({ host: 'mixed.example', port: 80 }, { ...guarded, look_up })
  // The evidence does not contain the addresses of a private name server.
  expect(evidence).toBe('mixed.example resolves to a private address; only public addresses may be reached here')
  expect(server.asked).toEqual(['mixed.example'])
})

test.each(['example.com', '10.0.0.1', 'printer.local'])(
  'the resolver of this machine is not asked for records of %s',
  async (host) => {
    for (const record of ['A', 'PTR', 'TXT'] as const) {
      expect(await checks.dns({ host, record }, guarded)).toEqual({
        ...{ ok: false, latency_ms: null, refused: true },
        evidence: expect.stringMatching(/ was not looked up: .* must name a public resolver, such as 1\.1\.1\.1$/),
      })
    }
  },
)

test('a check resolves a name once, so that a changed answer has no effect', async () => {
  const target = await httpServer((_, answer) => answer.end('reached'))
  const answers = [['203.0.114.1'], ['127.0.0.1']]
  let asked = 0
  const look_up = async () => answers[asked++] ?? []
  const url = `http://rebind.example:${target.port}/`
  const outcome = await checks.http({ url }, { ...guarded, timeout_ms: 300, look_up })
  expect(outcome.ok).toBe(false)
  expect([asked, target.made]).toEqual([1, 0])
  const second = await checks.http({ url }, { ...guarded, look_up })
  expect(second.evidence).toMatch(/rebind\.example resolves to a loopback address; only public/)
  expect(target.made).toBe(0)
})

test('with the guard "any" checks connect to all these addresses', async () => {
  const { port } = await httpServer((_, answer) => answer.end('ok'))
  for (const host of ['127.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
    expect(await checks.http({ url: `http://${host}:${port}` }, soon())).toMatchObject({ ok: true })
  }
})

test.each([
  ['example.com', { name: 'example.com' }],
  ['EXAMPLE.com.', { name: 'example.com.' }],
  ['bücher.example', { name: 'xn--bcher-kva.example' }],
  ['_dmarc.example.com', { name: '_dmarc.example.com' }],
  ['2001:DB8:0::1', { address: '2001:db8::1', family: 6 }],
  ['[::1]', { address: '::1', family: 6 }],
  ...[
    '',
    'a b',
    'http://a',
    'a/b',
    'a:80',
    '127.0.0.1:80',
    '127.1:',
    '[::1]:80',
    'user@a',
    'a?b',
    'a#b',
    '1.2.3.4.5',
    '256.1.1.1',
    'a..b',
  ].map((host) => [host, null] as const),
  ...['fe80::1%eth0', 'a%2eb', '-a', 'a-', `${'a'.repeat(64)}.b`, `${'a.'.repeat(130)}b`, '[::1', '::1]', 'a\tb'].map(
    (host) => [host, null] as const,
  ),
])('the host %j is read as %j', (host, read) => {
  expect(readHost(host)).toEqual(read)
})

test.each([
  ['1.1.1.1', { host: '1.1.1.1', port: 53 }],
  ['1.1.1.1:5353', { host: '1.1.1.1', port: 5353 }],
  ['[2606:4700::1111]:5353', { host: '[2606:4700::1111]', port: 5353 }],
  ['1.1.1.1:80', { host: '1.1.1.1', port: 80 }],
  ['2606:4700::1111', { host: '2606:4700::1111', port: 53 }],
  ['ns.example.com:53', { host: 'ns.example.com', port: 53 }],
  ...['1.1.1.1:0', '1.1.1.1:65536', '1.1.1.1:x', ':53', 'a:1:2'].map((place) => [place, null] as const),
])('the place %s is read as %j', (place, read) => {
  expect(readPlace(place, 53)).toEqual(read)
})
