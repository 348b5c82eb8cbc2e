import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
let id: number
let path: string
beforeAll(async () => {
  house = await openHouse()
  await house.admin.patch('/admin/settings', { require_incident_ack_before_updates: true })
})
beforeEach(async () => {
  id = (await house.admin.post('/admin/incidents', { title: 'Down', external_id: crypto.randomUUID() })).body.id
  path = `/admin/incidents/${id}`
})
afterAll(() => house.close())

const post = (body: object) => house.admin.post(`${path}/updates`, { message: 'M', ...body })
const patch = (body: object) => house.admin.patch(path, body)
const put = async (body: object) => {
  const { external_id, title } = (await house.admin.get(path)).body
  return house.admin.request('PUT', `/admin/incidents/external/${external_id}`, { title, ...body })
}

test.each([
  ['a note', () => post({})],
  ['an update with an open status', () => post({ status: 'major_outage' })],
  ['an update with the status that it has', () => post({ status: 'degraded' })],
  ['a change to another open status', () => patch({ status: 'major_outage' })],
  ['a replacement with another open status', () => put({ status: 'major_outage' })],
])('%s waits for the acknowledgement', async (_what, write) => {
  const before = (await house.admin.get(path)).body
  expect([(await write()).body.code, (await house.admin.get(path)).body]).toEqual(['conflict', before])
  await house.admin.post(`${path}/acknowledge`)
  expect((await write()).status).toBeLessThan(300)
})

test.each([
  ['a change of words', () => patch({ title: 'Still down' })],
  ['a change that names the status that it has', () => patch({ title: 'Still down', status: 'degraded' })],
  ['a replacement that names the status that it has', () => put({ status: 'degraded' })],
  ['resolving', () => house.admin.post(`${path}/resolve`)],
  ['an update that resolves', () => post({ status: 'resolved' })],
  ['a change that resolves', () => patch({ status: 'resolved' })],
])('%s does not wait', async (_what, write) => {
  expect((await write()).status).toBeLessThan(300)
})

test('a note on a resolved incident needs no acknowledgement', async () => {
  await house.admin.post(`${path}/resolve`)
  expect((await post({})).status).toBe(201)
  expect((await post({ status: 'resolved' })).status).toBe(201)
  expect((await patch({ status: 'degraded' })).status).toBe(409)
})
