import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatsPath, httpBeat, makeBeat } from '../support/beats.ts'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ beatTargets: 'public' })
  house.services.canPing = async () => true
})
afterAll(() => house.close())

const create = (type: string, target: object) => house.admin.post(beatsPath, { ...httpBeat, type, target })

test.each([
  ['http', { url: 'http://127.0.0.1:8080/' }, 'target.url', /127\.0\.0\.1 is a loopback address/],
  ['api', { url: 'https://0x7f.1/' }, 'target.url', /loopback/],
  ['latency', { url: 'http://[::ffff:10.0.0.1]/' }, 'target.url', /private/],
  ['tcp', { host: '10.1.2.3', port: 22 }, 'target.host', /private/],
  ['tls', { host: '169.254.169.254' }, 'target.host', /link-local/],
  ['ping', { host: '::1' }, 'target.host', /loopback/],
  ['dns', { host: 'example.com', resolver: '192.168.1.1:5353' }, 'target.resolver', /private/],
])('with BEAT_TARGETS=public, %s of %j is refused', async (type, target, where, message) => {
  const { status, body } = await create(type, target)
  expect([status, body.errors]).toEqual([400, [{ path: where, message: expect.stringMatching(message) }]])
})

test.each([
  ['http', { url: 'https://example.com/' }],
  ['http', { url: 'http://1.1.1.1/' }],
  ['dns', { host: '10.0.0.1', record: 'PTR', resolver: '1.1.1.1' }],
  ['tcp', { host: '2606:4700::1111', port: 53 }],
])('%s of %j is not', async (type, target) => {
  expect((await create(type, target)).status).toBe(201)
})

test('a target that is stored already is not refused where it is not changed', async () => {
  house.services.beatTargets = 'any'
  const target = { url: 'http://127.0.0.1/' }
  const { id } = await makeBeat(house, { target })
  house.services.beatTargets = 'public'
  const before = (await house.admin.get(`${beatsPath}/${id}`)).body
  expect((await house.admin.patch(`${beatsPath}/${id}`, { ...before, name: 'N' })).status).toBe(200)
  const other = { url: 'http://127.0.0.1/other' }
  expect((await house.admin.patch(`${beatsPath}/${id}`, { target: other })).status).toBe(400)
})
