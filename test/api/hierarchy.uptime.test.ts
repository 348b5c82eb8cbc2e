import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const at = (time: string) => new Date(`2026-03-${time}:00Z`)
let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: at('08T00:00') })
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body.id
  service.now = at('10T06:00')
  const report = { title: 'X', status: 'major_outage', affected_items: [{ id: item }] }
  const incident = (await service.admin.post('/admin/incidents', report)).body.id
  service.now = at('10T12:00')
  await service.admin.post(`/admin/incidents/${incident}/resolve`)
  service.now = at('11T00:00')
})
afterAll(() => service.close())

const uptime = async (days = 2) => (await service.admin.get(`/admin/hierarchy/items/${item}/uptime?days=${days}`)).body

test('the time down counts on its day', async () => {
  const { days, downtime_seconds, uptime_percent } = await uptime(2)
  expect(days.map((day: { date: string; uptime_percent: number }) => [day.date, day.uptime_percent])).toEqual([
    ['2026-03-10', 75],
    ['2026-03-11', null],
  ])
  expect([downtime_seconds, uptime_percent]).toEqual([6 * 3600, 75])
})

test('days before the start of the item have no uptime', async () => {
  const { days } = await uptime(6)
  expect(days[0]).toMatchObject({ date: '2026-03-06', uptime_percent: null, total_seconds: 0 })
  expect(days[2]).toMatchObject({ date: '2026-03-08', uptime_percent: 100 })
})

test('days are those of the policy’s timezone', async () => {
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'America/New_York' })
  const { days, timezone } = await uptime(1)
  // In New York it is still the 10th, and the outage began at two in the morning.
  expect([timezone, days[0].date, days[0].downtime_seconds]).toEqual(['America/New_York', '2026-03-10', 6 * 3600])
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'UTC' })
})

test('a corrected event changes it', async () => {
  const { events } = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
  await service.admin.post(`/admin/status-events/${events[0].id}/time`, {
    event_time: at('10T09:00').toISOString(),
    correction_note: 'It was over at nine.',
  })
  expect((await uptime(2)).downtime_seconds).toBe(3 * 3600)
})

test('degraded counts as up unless its weight is changed', async () => {
  const types = (await service.admin.get('/admin/status-types')).body.status_types
  const major = types.find((type: { key: string }) => type.key === 'major_outage')
  await service.admin.patch(`/admin/status-types/${major.id}`, { uptime_weight: 0.5 })
  expect((await uptime(2)).downtime_seconds).toBe(1.5 * 3600)
})

test('after the deletion of the newest event, the recorded status equals the current status from then on', async () => {
  service.now = at('11T00:00')
  const one = (await service.admin.post('/admin/hierarchy/items', { name: 'Mail' })).body.id
  const events = async () => (await service.admin.get(`/admin/hierarchy/items/${one}/status-events`)).body.events
  const course = async () =>
    (await events()).map((event: Record<string, string>) => [event.previous_status, event.status]).reverse()
  const forgetNewest = async () => service.admin.del(`/admin/status-events/${(await events())[0].id}`)
  const down = async () =>
    (await service.admin.get(`/admin/hierarchy/items/${one}/uptime?days=1`)).body.downtime_seconds / 3600
  service.now = at('11T01:00')
  const report = { title: 'X', status: 'partial_outage', affected_items: [{ id: one }] }
  const { id } = (await service.admin.post('/admin/incidents', report)).body
  service.now = at('11T02:00')
  await forgetNewest()
  expect([await course(), await down()]).toEqual([[['operational', 'partial_outage']], 0])
  service.now = at('11T03:00')
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'Worse.', status: 'major_outage' })
  service.now = at('11T05:00')
  // A major outage counts half since the test before.
  expect([(await course())[1], await down()]).toEqual([['partial_outage', 'major_outage'], 2])
  await forgetNewest()
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  service.now = at('11T06:00')
  expect((await course()).slice(1)).toEqual([
    ['partial_outage', 'major_outage'],
    ['major_outage', 'operational'],
  ])
  expect(await down()).toBe(3)
})

test('events from before the time that is asked for count, the last of them', async () => {
  service.now = at('12T00:00')
  const one = (await service.admin.post('/admin/hierarchy/items', { name: 'Long' })).body.id
  const report = { title: 'X', status: 'partial_outage', affected_items: [{ id: one }] }
  await service.admin.post('/admin/incidents', report)
  service.now = at('20T12:00')
  const { body } = await service.admin.get(`/admin/hierarchy/items/${one}/uptime?days=2`)
  expect([body.downtime_seconds, body.worst_status]).toEqual([36 * 3600, 'partial_outage'])
})
