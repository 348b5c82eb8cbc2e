import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { processOf } from '../support/incidents.ts'
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

test('a paused series creates no maintenances, and a resumed series continues', async () => {
  const { id, workflowId } = await create()
  await settled(service)
  const before = (await windowsOf(service, id)).length
  await service.admin.post(`${seriesPath}/${id}/pause`)
  await processes.pass(`${21 * DAY}ms`)
  expect(await windowsOf(service, id)).toHaveLength(before)
  expect((await processOf(service, workflowId)).waiting_for).toBe('the resumption of the paused series')
  await service.admin.post(`${seriesPath}/${id}/resume`)
  await processes.pass(`${21 * DAY}ms`)
  expect((await windowsOf(service, id)).length).toBe(before + 6)
})

test('the process of a series ends after its last maintenance', async () => {
  const { id, workflowId } = await create({
    max_occurrences: 2,
    start_date: new Date(service.now.getTime() + DAY).toISOString(),
  })
  await settled(service)
  expect(await windowsOf(service, id)).toHaveLength(2)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'done' })
})
