import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ beatTargets: 'public' })
  service.services.ownPorts = { includes: (host, port) => host === 'localhost' && port === 7233 }
})
afterAll(() => service.close())

const create = (url: string) => service.admin.post('/admin/subscribers', { channel: 'webhook', url })

test.each([
  ['https://10.1.2.3/in', '10.1.2.3 is a private address; only public addresses may be reached here'],
  ['http://0x7f.1/', '127.0.0.1 is a loopback address; only public addresses may be reached here'],
  ['http://localhost:7233/', "localhost:7233 is a port of this service's own servers; nothing may connect to it"],
  ['https://user:pass@1.1.1.1/', 'must not contain a user or a password: the signature identifies the sender'],
])('a webhook to %s is refused', async (url, message) => {
  const { status, body } = await create(url)
  expect([status, body.errors]).toEqual([400, [{ path: 'url', message }]])
})

test.each(['https://hooks.example.com/in', 'http://1.1.1.1:8080/'])('a webhook to %s is accepted', async (url) => {
  expect((await create(url)).status).toBe(201)
})
