import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let id: number
let path: string
beforeAll(async () => {
  service = await openTestService()
  await service.admin.patch('/admin/settings', { require_incident_ack_before_updates: true })
})
beforeEach(async () => {
  id = (await service.admin.post('/admin/incidents', { title: 'Down', external_id: crypto.randomUUID() })).body.id
  path = `/admin/incidents/${id}`
})
afterAll(() => service.close())

const post = (body: object) => service.admin.post(`${path}/updates`, { message: 'M', ...body })
const patch = (body: object) => service.admin.patch(path, body)
const put = async (body: object) => {
  const { external_id, title } = (await service.admin.get(path)).body
  return service.admin.request('PUT', `/admin/incidents/external/${external_id}`, { title, ...body })
}

test.each([
  ['a note', () => post({})],
  ['an update with an open status', () => post({ status: 'major_outage' })],
  ['an update with the status that it has', () => post({ status: 'degraded' })],
  ['a change to another open status', () => patch({ status: 'major_outage' })],
  ['a replacement with another open status', () => put({ status: 'major_outage' })],
])('%s waits for the acknowledgement', async (_what, write) => {
  const before = (await service.admin.get(path)).body
  expect([(await write()).body.code, (await service.admin.get(path)).body]).toEqual(['conflict', before])
  await service.admin.post(`${path}/acknowledge`)
  expect((await write()).status).toBeLessThan(300)
})

test.each([
  ['a change of words', () => patch({ title: 'Still down' })],
  ['a change that names the status that it has', () => patch({ title: 'Still down', status: 'degraded' })],
  ['a replacement that names the status that it has', () => put({ status: 'degraded' })],
  ['resolving', () => service.admin.post(`${path}/resolve`)],
  ['an update that resolves', () => post({ status: 'resolved' })],
  ['a change that resolves', () => patch({ status: 'resolved' })],
])('%s does not wait', async (_what, write) => {
  expect((await write()).status).toBeLessThan(300)
})

test('a note on a resolved incident needs no acknowledgement', async () => {
  await service.admin.post(`${path}/resolve`)
  expect((await post({})).status).toBe(201)
  expect((await post({ status: 'resolved' })).status).toBe(201)
  expect((await patch({ status: 'degraded' })).status).toBe(409)
})
