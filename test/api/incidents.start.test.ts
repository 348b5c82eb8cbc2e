import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const at = (time: string) => `2026-03-10T${time}:00.000Z`

let service: TestService
const items: number[] = []
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date(at('00:00')) })
})
beforeEach(async () => {
  clock('00:00')
  items.length = 0
  for (const name of ['One', 'Two']) items.push((await service.admin.post('/admin/hierarchy/items', { name })).body.id)
})
afterAll(() => service.close())

function clock(time: string): void {
  service.now = new Date(at(time))
}

const path = '/admin/incidents'
const report = async (more: object = {}) => (await service.admin.post(path, { title: 'Down', ...more })).body
const patch = (id: number, body: object) => service.admin.patch(`${path}/${id}`, body)
const starts = async (id: number) =>
  (await service.admin.get(`${path}/${id}/impacts`)).body.impacts.map(
    (impact: { item_id: number; start_time: string }) => [impact.item_id, impact.start_time],
  )
const downtime = async (index: number) =>
  (await service.admin.get(`/admin/hierarchy/items/${items[index]}/uptime?days=1`)).body.downtime_seconds / 60

const outage = () => ({ status: 'major_outage', affected_items: [{ id: items[0] }] })

test('what began with the incident follows its start, and so does the uptime', async () => {
  clock('10:00')
  const { id } = await report(outage())
  clock('10:20')
  await service.admin.post(`${path}/${id}/impacts`, { item_id: items[1] })
  clock('11:00')
  const { body } = await patch(id, { started_at: at('09:30') })
  expect(body.started_at).toBe(at('09:30'))
  expect(await starts(id)).toEqual([
    [items[0], at('09:30')],
    [items[1], at('10:20')],
  ])
  expect([await downtime(0), await downtime(1)]).toEqual([90, 40])
})

test('a later start takes nothing back from the uptime, and leaves an impact alone that had ended by then', async () => {
  clock('10:00')
  const { id } = await report({ ...outage(), affected_items: items.map((item) => ({ id: item })) })
  clock('10:10')
  await service.admin.del(`${path}/${id}/impacts/${items[1]}`)
  clock('11:00')
  expect((await patch(id, { started_at: at('10:30') })).status).toBe(200)
  expect(await starts(id)).toEqual([
    [items[1], at('10:00')],
    [items[0], at('10:30')],
  ])
  expect([await downtime(0), await downtime(1)]).toEqual([60, 10])
})

test('a resolved incident may have begun earlier, too', async () => {
  clock('10:00')
  const { id } = await report(outage())
  clock('10:30')
  await service.admin.post(`${path}/${id}/resolve`)
  clock('11:00')
  const { body } = await patch(id, { started_at: at('09:30') })
  expect(body.affected_items).toMatchObject([{ id: items[0], status: 'operational' }])
  expect(await downtime(0)).toBe(60)
})

const put = (started_at: string) =>
  service.admin.request('PUT', `${path}/external/start`, { title: 'Down', started_at, affected_items: [] })

test.each([
  ['the first entry of the timeline', 'updates', { message: 'M' }],
  ['the acknowledgement', 'acknowledge', {}],
  ['the resolution', 'resolve', {}],
])('it does not lie behind %s', async (_what, verb, body) => {
  clock('10:00')
  const { id } = (await put(at('10:00'))).body
  clock('10:30')
  await service.admin.post(`${path}/${id}/${verb}`, body)
  clock('11:00')
  for (const answer of [await patch(id, { started_at: at('10:31') }), await put(at('10:31'))]) {
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'started_at'])
  }
  expect((await patch(id, { started_at: at('10:30') })).status).toBe(200)
  await service.admin.del(`${path}/${id}`)
})

test('null is the moment at which the incident was created', async () => {
  clock('10:00')
  const { id, version } = await report({ ...outage(), started_at: at('09:00') })
  clock('11:00')
  const { body } = await patch(id, { started_at: null })
  expect(body).toMatchObject({ started_at: at('10:00'), created_at: at('10:00'), version: version + 1 })
  expect([await starts(id), await downtime(0)]).toEqual([[[items[0], at('10:00')]], 120])
  expect((await patch(id, { started_at: null })).body.version).toBe(version + 1)
})

test('a start that a clock ahead has stored may be sent again', async () => {
  clock('10:00')
  const { id } = (await put(at('10:02'))).body
  await service.admin.post(`${path}/${id}/acknowledge`)
  expect((await put(at('10:02'))).status).toBe(200)
  expect((await patch(id, { started_at: at('10:01') })).status).toBe(200)
  expect((await put(at('12:00'))).body.errors?.[0].path).toBe('started_at')
})
