import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)

const redirecting = (location: string, status = 302) =>
  httpServer((request, answer) => {
    if (request.url !== '/') return answer.end('there')
    return answer.writeHead(status, { location }).end()
  })

test('a redirect is followed, unless the beat forbids redirects or expects a redirect', async () => {
  const { url } = await redirecting('/there')
  expect(await checks.http({ url }, soon())).toMatchObject({ ok: true, status_code: 200 })
  expect(await checks.http({ url, follow_redirects: false }, soon())).toMatchObject({ ok: false, status_code: 302 })
  expect(await checks.http({ url, expected_status: [302] }, soon())).toMatchObject({ ok: true, status_code: 302 })
  const both = { url, expected_status: ['2xx', 302], follow_redirects: true }
  expect(await checks.http(both, soon())).toMatchObject({ status_code: 200 })
})

test('a sixth redirect is a failure', async () => {
  const target = await redirecting('/')
  const { evidence, status_code } = await checks.http({ url: target.url }, soon())
  expect(evidence).toMatch(/redirects more than 5 times/)
  expect(status_code).toBe(302)
  expect(target.made).toBe(6)
})

test.each(['ftp://127.0.0.1/', 'http://', 'file:///etc/passwd', 'javascript:1'])(
  'a redirect to %s is a failure',
  async (to) => {
    const { url } = await redirecting(to)
    expect(await checks.http({ url }, soon())).toMatchObject({
      ok: false,
      status_code: 302,
      evidence: expect.stringContaining('redirects to a location that is not an http or https URL'),
    })
  },
)

test.each([
  ['POST', 301, 'GET'],
  ['POST', 302, 'GET'],
  ['POST', 303, 'GET'],
  ['PUT', 303, 'GET'],
  ['PUT', 302, 'PUT'],
  ['POST', 307, 'POST'],
  ['POST', 308, 'POST'],
  ['HEAD', 303, 'HEAD'],
] as const)('%s and %i become %s', async (method, status, becomes) => {
  let seen: unknown
  const { url } = await httpServer((request, answer) => {
    if (request.url === '/') return answer.writeHead(status, { location: '/next' }).end()
    seen = [request.method, request.headers['content-length'], request.headers['content-type']]
    return answer.end()
  })
  const body = method === 'HEAD' ? undefined : 'a=1'
  await checks.http({ url, method, body, headers: { 'Content-Type': 'text/x' } }, soon())
  const kept = becomes !== 'GET'
  expect(seen).toEqual([becomes, kept && body ? '3' : undefined, kept ? 'text/x' : undefined])
})

test('a redirect to another origin sends neither secrets nor the Host header', async () => {
  let seen: Record<string, unknown> = {}
  const other = await httpServer((request, answer) => {
    seen = request.headers
    answer.end()
  })
  const { url } = await redirecting(`http://user:pass@127.0.0.1:${other.port}/`)
  const headers = { Authorization: 'Bearer abcdef', 'X-Api-Key': 'k', Cookie: 'a=b', Host: 'first', 'X-Plain': 'yes' }
  expect(await checks.http({ url, headers }, soon())).toMatchObject({ ok: true })
  expect(Object.keys(seen).sort()).toEqual(['accept', 'connection', 'host', 'user-agent', 'x-plain'])
  expect(seen.host).toBe(`127.0.0.1:${other.port}`)
})
