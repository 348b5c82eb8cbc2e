import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { notesOf, processOf } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'
import { createWeekly, seriesPath, windowsOf } from '../support/series.ts'

quietRuntime()

const DAY = 24 * 3_600_000

let processes: SkippingProcesses
let service: SkippingProcesses['service']
let item: number
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
  item = await makeItem(service, 'Database')
})
afterAll(() => processes?.close())

const create = (changes: object = {}) => createWeekly(service, item, changes)

const hourInBerlin = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })

test('for half a year every maintenance of a weekly series is created ahead, and starts and completes once at its hour', async () => {
  // The first is tomorrow and the last some days before the end, so that the hour of the test does not matter.
  const { id, workflowId } = await create({ start_date: new Date(service.now.getTime() + DAY).toISOString() })
  await settled(service)
  await processes.pass(`${178 * DAY}ms`)
  const list = await windowsOf(service, id)
  const over = list.filter(({ status }) => status === 'completed')
  expect([over.length, over.map(({ index }) => index)]).toEqual([
    26,
    Array.from({ length: 26 }, (_, n) => over[0]!.index + n),
  ])
  for (const one of over) {
    expect(['02:30', '03:30']).toContain(hourInBerlin.format(new Date(one.scheduled_start_time)))
    const { updates } = (await service.admin.get(`/admin/maintenances/${one.maintenance_id}`)).body
    expect(updates).toMatchObject([
      { status: 'completed', due_at: one.scheduled_end_time },
      { status: 'in_progress', due_at: one.scheduled_start_time },
    ])
  }
  const ahead = list.filter(({ status }) => status === 'created')
  expect(ahead.length).toBeGreaterThanOrEqual(4)
  const last = Date.parse(ahead.at(-1)!.scheduled_start_time) - service.now.getTime()
  expect(last).toBeGreaterThan(23 * DAY)
  expect((await notesOf(service, workflowId)).at(-1)).toMatch(
    /^created 1 window: occurrence \d+, maintenance \d+, at 20\d\d-\d\d-\d\d 02:30 \(0[01]:30 UTC\) in Europe\/Berlin$/,
  )
  await service.admin.post(`${seriesPath}/${id}/end`)
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'done' })
})
