import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('a request that its caller breaks off writes to the log and not to the terminal', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => {})
  const { hostname, port } = new URL(service.url)
  for (const [length, body] of [
    ['Content-Length: 50', '{"ti'],
    ['Transfer-Encoding: chunked', '5\r\n{"tit\r\nzz\r\n'],
  ] as const) {
    const socket = connect(Number(port), hostname)
    const head = `POST /api/v1/admin/incidents HTTP/1.1\r\nHost: status.test\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`
    const token = await service.token()
    socket.write(`${head}Authorization: Bearer ${token}\r\n${length}\r\n\r\n`)
    // The service is about to read the body.
    await once(socket, 'data')
    await new Promise((sent) => socket.write(body, sent))
    socket.destroy()
    // It has answered another caller after that, so it has seen that this one is gone.
    for (let n = 0; n < 3; n += 1) await service.admin.get('/admin/incidents')
  }
  expect((await service.admin.get('/admin/incidents')).body.total).toBe(0)
  expect(said.mock.calls).toEqual([])
  said.mockRestore()
})
