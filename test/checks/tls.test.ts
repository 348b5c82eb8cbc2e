import type { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { type Made, makeAuthority } from './support/certificates.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer, httpsServer, tcpServer } from './support/servers.ts'

let authority: ReturnType<typeof makeAuthority>
let good: Made
beforeAll(() => {
  authority = makeAuthority()
  good = authority.certificate('DNS:localhost,DNS:*.example.com,IP:127.0.0.1')
})
afterAll(async () => {
  await closeServers()
  authority.remove()
})

const now = () => new Date('2026-11-21T10:00:00Z')

test('tls and https checks count the days until the certificate expires', async () => {
  const { cert, key } = authority.certificate('DNS:localhost', '20260101000000Z', '20981231120000Z')
  const { port } = await httpsServer({ cert, key })
  const days = Math.floor((Date.parse('2098-12-31T12:00:00Z') - now().getTime()) / 86_400_000)
  const target = { host: 'localhost', port, ca: authority.ca }
  expect(await checks.tls(target, soon({ now }))).toEqual({
    ok: true,
    latency_ms: expect.any(Number),
    certificate_days: days,
    evidence: `The certificate of localhost:${port} is valid for ${days} days more`,
  })
  const web = { url: `https://localhost:${port}/`, ca: authority.ca }
  expect(await checks.http(web, soon({ now }))).toMatchObject({ ok: true, status_code: 200, certificate_days: days })
})

test.each<[string, () => Made, string, string | RegExp]>([
  [
    'expired',
    () => authority.certificate('DNS:localhost', '20250101000000Z', '20260303000000Z'),
    'localhost',
    'The certificate expired on 3 March 2026',
  ],
  [
    'not yet valid',
    () => authority.certificate('DNS:localhost', '20980101000000Z'),
    'localhost',
    'The certificate is valid only from 1 January 2098',
  ],
  ['self-signed', () => authority.selfSigned('DNS:localhost'), 'localhost', 'The certificate is self-signed'],
  [
    'for another host',
    () => authority.certificate('DNS:a.example,DNS:b.example,IP:10.0.0.1,DNS:c.example'),
    'localhost',
    'The certificate is for a.example, b.example, 10.0.0.1 and others, not for localhost',
  ],
  [
    'for a name, not an address',
    () => authority.certificate('DNS:localhost'),
    '127.0.0.1',
    'The certificate is for localhost, not for 127.0.0.1',
  ],
])('the evidence names a certificate that is %s', async (_, make, host, evidence) => {
  let asked = 0
  const { port } = await httpsServer(make(), (_, answer) => answer.end(void asked++))
  const outcome = await checks.tls({ host, port, ca: authority.ca }, soon())
  expect(outcome).toMatchObject({ ok: false, evidence, certificate_days: expect.any(Number) })
  const web = await checks.http({ url: `https://${host}:${port}`, ca: authority.ca }, soon())
  expect(web).toMatchObject({ ok: false, evidence, certificate_days: expect.any(Number) })
  expect(asked).toBe(0)
})

test('the evidence names an authority that is not trusted, and two problems at once', async () => {
  const { port } = await httpsServer(authority.certificate('DNS:else', '20250101000000Z', '20260303000000Z'))
  const { evidence, ok } = await checks.tls({ host: 'localhost', port }, soon())
  expect(ok).toBe(false)
  expect(evidence).toMatch(/^The certificate expired on 3 March 2026; The certificate is for else, not for localhost$/)
  const trusting = await httpsServer(good)
  const untrusted = await checks.tls({ host: 'localhost', port: trusting.port }, soon())
  expect(untrusted).toMatchObject({ ok: false, evidence: expect.stringMatching(/authority that is not trusted/) })
})

test('a check requests and expects the server name', async () => {
  const names: string[] = []
  const SNICallback = (name: string, done: (problem: null) => void) => done(void names.push(name) as unknown as null)
  const { port } = await httpsServer({ ...good, SNICallback })
  const target = { host: '127.0.0.1', port, ca: authority.ca }
  expect(await checks.tls({ ...target, server_name: 'www.example.com' }, soon())).toMatchObject({ ok: true })
  expect(await checks.tls({ ...target, server_name: 'example.org' }, soon())).toMatchObject({ ok: false })
  expect(await checks.tls(target, soon())).toMatchObject({ ok: true })
  expect(names).toEqual(['www.example.com', 'example.org'])
})

test.each([
  ['bücher.localhost', '127.0.0.1', 'xn--bcher-kva.localhost'],
  ['BÜCHER.localhost.', '127.0.0.1', 'xn--bcher-kva.localhost'],
  ['[::1]', '::1', null],
  ['0:0::1', '::1', null],
  ['127.1', '127.0.0.1', null],
  ['0x7f.1', '127.0.0.1', null],
  ['①②⑦.0.0.1', '127.0.0.1', null],
])('the certificate of %s at %s is valid for the host %s', async (host, listens, asked) => {
  const names: unknown[] = []
  const SNICallback = (name: string, done: (problem: null) => void) => done(void names.push(name) as unknown as null)
  const made = authority.certificate('DNS:xn--bcher-kva.localhost,IP:127.0.0.1,IP:::1')
  const { port } = await httpsServer({ ...made, SNICallback }, undefined, listens)
  const { ca } = authority
  expect(await checks.tls({ host, port, ca }, soon())).toMatchObject({ ok: true })
  const place = { host: listens, port, ca }
  expect(await checks.tls({ ...place, server_name: host }, soon())).toMatchObject({ ok: true })
  const inUrl = host === '0:0::1' ? '[0:0::1]' : host
  expect(await checks.http({ url: `https://${inUrl}:${port}`, ca }, soon())).toMatchObject({ ok: true })
  expect(names).toEqual(asked ? [asked, asked, asked] : [])
})

test.each<[string, () => Made, string]>([
  ['self-signed', () => authority.selfSigned('DNS:localhost'), 'is self-signed'],
  [
    'expired',
    () => authority.certificate('DNS:localhost', '20250101000000Z', '20260303000000Z'),
    'expired on 3 March 2026',
  ],
])('after a redirect the evidence names the host whose certificate is %s', async (_, make, problem) => {
  const other = await httpsServer(make())
  const { port } = await httpServer((_, answer) =>
    answer.writeHead(302, { location: `https://localhost:${other.port}` }).end(),
  )
  const from = (host: string) => checks.http({ url: `http://${host}:${port}`, ca: authority.ca }, soon())
  expect((await from('127.0.0.1')).evidence).toBe(`The certificate of localhost:${other.port} ${problem}`)
  expect((await from('localhost')).evidence).toBe(`The certificate ${problem}`)
})

test('a client certificate is sent to a server that requests the certificate', async () => {
  const own = authority.certificate('DNS:client')
  const client_certificate = { certificate: own.cert, key: own.key }
  const options = { ...good, ca: authority.ca, requestCert: true, rejectUnauthorized: true }
  const { port } = await httpsServer(options, (request, answer) => {
    answer.end((request.socket as ReturnType<typeof connect>).getPeerCertificate().subject.CN)
  })
  const target = { url: `https://localhost:${port}`, ca: authority.ca }
  expect(await checks.http({ ...target, client_certificate }, soon())).toMatchObject({ ok: true })
  const { evidence } = await checks.http(target, soon())
  expect(evidence).toBe(`localhost:${port} requires a client certificate`)
})

test('a redirect does not send the client certificate to another origin', async () => {
  const own = authority.certificate('DNS:client')
  const shown: unknown[] = []
  const options = { ...good, ca: authority.ca, requestCert: true, rejectUnauthorized: false }
  const other = await httpsServer(options, (request, answer) => {
    answer.end(void shown.push((request.socket as ReturnType<typeof connect>).authorized))
  })
  const first = await httpsServer(options, (request, answer) => {
    shown.push((request.socket as ReturnType<typeof connect>).authorized)
    answer.writeHead(302, { location: `https://localhost:${other.port}` }).end()
  })
  const client_certificate = { certificate: own.cert, key: own.key }
  await checks.http({ url: `https://localhost:${first.port}`, ca: authority.ca, client_certificate }, soon())
  expect(shown).toEqual([true, false])
})

test('the evidence names a server without TLS or with an old version only', async () => {
  const { port } = await httpServer((_, answer) => answer.end())
  const plain = await checks.tls({ host: 'localhost', port }, soon())
  expect(plain.evidence).toBe(`localhost:${port} does not use TLS`)
  const silent = await tcpServer((socket) => socket.once('data', () => socket.end()))
  const closed = await checks.tls({ host: '127.0.0.1', port: silent.port }, soon())
  expect(closed.evidence).toMatch(/closed/)
  const old = await httpsServer({ ...good, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })
  const outdated = await checks.tls({ host: 'localhost', port: old.port }, soon())
  expect(outdated.evidence).toBe(`localhost:${old.port} supports no secure version of TLS`)
})
