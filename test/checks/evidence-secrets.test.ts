import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { secretsIn } from '../../activities/checks/secrets.ts'
import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)

const document = {
  name: 'shop',
  nested: { password: 'nested-pass', note: 'plain' },
  list: [{ 'X-Api-Key': 'listed-key', id: 7 }],
  auth: { kind: { value: 'deep-auth' } },
  data: { pwd: 'short-name' },
  token: 'resp-secret-token',
}

const quoted = async (path: string, body: string = JSON.stringify(document)) => {
  const { url } = await httpServer((_, answer) => answer.end(body))
  const assertion: Assertion = { source: 'json', path, operator: 'equals', value: 'x' }
  return (await checks.api({ url, assertions: [assertion] }, soon())).evidence
}

test.each([
  ['$.nested', 'is {"password":"•••","note":"plain"}'],
  ['$.list', 'is [{"X-Api-Key":"•••","id":7}]'],
  ['$.list[0].id', 'is 7'],
  ['$.nested.*', 'is "•••"'],
  ['$.nested["note"]', 'is "plain"'],
  ['$.list[*]', 'is {"X-Api-Key":"•••","id":7}'],
  ['$..value', 'is "•••"'],
  ['$.auth.*', 'does not match'],
  ['$.auth.kind.value', 'does not match'],
  ['$.data.pwd', 'does not match'],
  ['$.data', 'is {"pwd":"•••"}'],
])('the evidence for a condition at %s contains "%s"', async (path, said) => {
  expect(await quoted(path)).toContain(`The JSON at ${path} ${said}, expected`)
})

test('a whole document of any depth is quoted without its secrets', async () => {
  const secrets = /nested-pass|listed-key|deep-auth|short-name|resp-secret/
  const turned = Object.fromEntries(Object.entries(document).reverse())
  expect(await quoted('$', JSON.stringify(turned))).toMatch(/^The JSON at \$ is \{"token":"•••"/)
  for (const path of ['$', '$.*', '$..*']) expect(await quoted(path)).not.toMatch(secrets)
  expect(await quoted('$', '['.repeat(100_000) + ']'.repeat(100_000))).toMatch(/^The JSON at \$ is \[{79}…/)
})

test('the quote of a path with 131,000 values is the first value without its secrets', async () => {
  const zeros = Array(100_000).fill(0)
  const body = JSON.stringify({ first: { password: 'nested-pass', zeros }, second: zeros.slice(0, 20_000) })
  expect(await quoted('$.*', body)).toMatch(/^The JSON at \$\.\* is \{"password":"•••","zeros":\[0,0(,0)+,?…, expected/)
  expect(await quoted('$.*', JSON.stringify(Array(131_000).fill(0)))).toBe(
    'The JSON at $.* is 0, expected it to be "x"',
  )
})

test.each([
  ['a secret that is longer than what is shown', `Bearer ${'k'.repeat(3000)}`],
  ['a secret that begins within what is shown', `Bearer ${'k'.repeat(40)}`],
])('%s is masked wherever it begins', async (_what, Authorization) => {
  const { url } = await httpServer((request, answer) => {
    answer.end(
      JSON.stringify(
        Object.fromEntries(
          starts.map((at) => [
            `at ${at}`,
            `${'-'.repeat(at)}${request.headers.authorization?.slice(7)}${'-'.repeat(300)}`,
          ]),
        ),
      ),
    )
  })
  for (const at of starts) {
    const assertion: Assertion = { source: 'json', path: `$["at ${at}"]`, operator: 'equals', value: 'x' }
    const { evidence } = await checks.api({ url, headers: { Authorization }, assertions: [assertion] }, soon())
    expect(evidence).toMatch(/ is "-*•{0,3}-*…, expected/)
    expect(evidence).not.toContain('k')
  }
})

const starts = [0, 1, 30, 76, 77, 78, 79, 99, 100, 101, 180, 199, 200]

const basic = (credentials: string, encoding?: BufferEncoding) =>
  `Basic ${Buffer.from(credentials, encoding).toString('base64')}`

test('a password that was sent encoded is masked where the target repeats it decoded', async () => {
  const { url } = await httpServer((request, answer) => {
    const sent = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    answer.end(JSON.stringify({ echo: `hello ${sent}, ${request.headers.authorization}` }))
  })
  const assertions: Assertion[] = [{ source: 'json', path: '$.echo', operator: 'equals', value: 'x' }]
  const headers = { Authorization: basic('alice:open:sesame') }
  const { evidence } = await checks.api({ url, headers, assertions }, soon())
  expect(evidence).toBe('The JSON at $.echo is "hello alice:•••, •••", expected it to be "x"')
})

test('the expected secret of one assertion is not quoted by another assertion', async () => {
  const answered = { token: 's3cr3t-x', pin: 'one-of-two', echo: 'got s3cr3t-x and one-of-two' }
  const { url } = await httpServer((_, answer) => answer.end(JSON.stringify(answered)))
  const assertions: Assertion[] = [
    { source: 'json', path: '$.token', operator: 'equals', value: 's3cr3t-x' },
    { source: 'json', path: '$.pin', operator: 'in', value: ['one-of-two', 7, null] },
    { source: 'json', path: '$.echo', operator: 'equals', value: 'fine' },
  ]
  const { evidence } = await checks.api({ url, assertions }, soon())
  expect(evidence).toBe('The JSON at $.echo is "got ••• and •••", expected it to be "fine"')
})

test.each([
  [basic('alice:hunter22'), ['hunter22'], ['alice']],
  [basic('alice:grün-grün'), ['grün-grün'], ['alice']],
  [basic('alice:grün-grün', 'latin1'), ['grün-grün'], ['alice']],
  [basic('key-of-service:'), ['key-of-service'], []],
  [basic('key-of-service:x'), ['key-of-service'], []],
  [basic('alice:hunter22').replace('Basic', 'basic '), ['hunter22'], ['alice']],
  ['Basic %%%', [], []],
])('the secret of the header %s is %j', (Authorization, secret, plain) => {
  const found = secretsIn({ headers: { Authorization } })
  expect(found).toEqual(expect.arrayContaining(secret))
  for (const text of plain) expect(found).not.toContain(text)
})

test('a password in a URL is masked in its decoded form, too', () => {
  expect(secretsIn({ url: 'http://alice:p%40ss-word@a.example/' })).toEqual(
    expect.arrayContaining(['p@ss-word', 'p%40ss-word']),
  )
  expect(secretsIn({ url: 'http://alice:100%@a.example/' })).not.toHaveLength(0)
})
