import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { createWeekly, type Listed, occurrencesOf } from '../support/series.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { readByIcalJs, readByNodeIcal } from './readers.ts'

const DAY = 86_400_000
const ROUNDS = 30

let service: TestService
let id: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-09-01T12:00:00Z') })
})
afterAll(() => service.close())

/** The same numbers in every run. */
let state = 7
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}

const short = (iso: string) => iso.replace('.000Z', 'Z')
const path = () => `/admin/maintenance-series/${id}`

const changes: Record<string, (window: Listed, index: number) => Promise<unknown>> = {
  async move({ maintenance_id, scheduled_start_time, scheduled_end_time }) {
    const by = (random(20) - 10) * 600_000
    const moved = (iso: string) => new Date(Date.parse(iso) + by).toISOString()
    const window = { scheduled_start_time: moved(scheduled_start_time), scheduled_end_time: moved(scheduled_end_time) }
    return service.admin.patch(`/admin/maintenances/${maintenance_id}`, { title: 'Weekly', ...window })
  },
  rename: ({ maintenance_id }) =>
    service.admin.patch(`/admin/maintenances/${maintenance_id}`, { title: `Renamed ${random(100)}` }),
  cancel: ({ maintenance_id }) => service.admin.post(`/admin/maintenances/${maintenance_id}/cancel`),
  remove: ({ maintenance_id }) => service.admin.del(`/admin/maintenances/${maintenance_id}`),
  start: ({ maintenance_id }) => service.admin.post(`/admin/maintenances/${maintenance_id}/start`),
  /** Only soon before its start: a maintenance that was completed 30 days ago is in no calendar. */
  async complete({ maintenance_id, scheduled_start_time }) {
    if (Date.parse(scheduled_start_time) > service.now.getTime() + 7 * DAY) return
    await service.admin.post(`/admin/maintenances/${maintenance_id}/complete`)
  },
  skip: (_window, index) => service.admin.post(`${path()}/occurrences/${index}/skip`),
  skipLater: (_window, index) => service.admin.post(`${path()}/occurrences/${index + 10}/skip`),
  unskip: (_window, index) => service.admin.post(`${path()}/occurrences/${index}/unskip`),
  pause: () => service.admin.post(`${path()}/pause`),
  resume: () => service.admin.post(`${path()}/resume`),
  reschedule: () =>
    service.admin.patch(path(), { title: 'Weekly', weekday: 1 + random(7), start_time: `0${4 + random(4)}:30` }),
  lengthen: () => service.admin.patch(path(), { title: 'Weekly', duration_minutes: 30 + random(5) * 15 }),
  async wait() {
    service.now = new Date(service.now.getTime() + (1 + random(12)) * DAY)
  },
}

/** The times of the maintenances that lie ahead, and of planned occurrences if the calendar has a recurring event. */
async function expectedAhead(until: string, isRecurring: boolean): Promise<string[]> {
  const now = service.now.toISOString()
  const { body } = await service.admin.get(`/admin/maintenances?limit=100&starts_after=${now}&starts_before=${until}`)
  const windows = body.maintenances
    .filter(({ status }: { status: string }) => status !== 'cancelled')
    .map((one: Listed & { title: string }) => `${one.scheduled_start_time} ${one.scheduled_end_time} ${one.title}`)
  const planned = (await occurrencesOf(service, id, `from=${now}&until=${until}&limit=500`))
    .filter(({ status }) => status === 'planned')
    .map((one) => `${one.scheduled_start_time} ${one.scheduled_end_time} Weekly`)
  return [...windows, ...(isRecurring ? planned : [])].map((line) => line.replaceAll('.000Z', 'Z')).sort()
}

test('the calendar follows a series through many changes', async () => {
  const item = await makeItem(service, 'Search')
  id = (await createWeekly(service, item, { start_time: '03:30', generate_months: 3, auto_transition_enabled: false }))
    .id
  const names = Object.keys(changes)
  let recurring = 0
  for (let round = 0; round < ROUNDS; round++) {
    const windows = (await occurrencesOf(service, id, 'limit=500')).filter(
      (one) => one.maintenance_id && Date.parse(one.scheduled_start_time) > service.now.getTime(),
    )
    const window = windows[random(windows.length)]
    const name = names[random(names.length)]!
    if (window) await changes[name]!(window, window.index)
    const until = new Date(service.now.getTime() + 400 * DAY).toISOString()
    const range = { from: short(service.now.toISOString()), to: short(until) }
    const { body } = await service.as(undefined).get('//calendar.ics')
    // A paused series creates no windows, so the recurring event ends with its last window.
    const isRecurring = /^RRULE:FREQ=WEEKLY;BYDAY=..\r$/m.test(body)
    if (isRecurring) recurring += 1
    const events = readByIcalJs(body, range)
    expect([round, name, readByNodeIcal(body, range)]).toEqual([round, name, events])
    const ahead = events.filter(({ cancelled }) => !cancelled)
    const lines = ahead.map((event) => `${event.starts_at} ${event.ends_at} ${event.title}`)
    expect([round, name, lines.sort()]).toEqual([round, name, await expectedAhead(until, isRecurring)])
  }
  expect(recurring).toBeGreaterThan(ROUNDS / 2)
})
