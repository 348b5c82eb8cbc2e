import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { occurrencesOf, seriesPath } from '../support/series.ts'

quietRuntime()

/** Uses a real Temporal: the server that skips time stops with hundreds of workflows on a busy machine. */
let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  processes = await openTestProcesses()
  service = processes.service
  await processes.startWorker()
})
afterAll(() => processes?.close())

/** A step creates at most a hundred maintenances. */
test('the maintenances of a long daily series are created in several steps, each once', async () => {
  const { body } = await service.admin.post(seriesPath, {
    ...{ title: 'Daily', affected_items: [{ id: await makeItem(service, 'Database') }], recurrence_type: 'daily' },
    ...{ timezone: 'Europe/Berlin', start_time: '02:30', start_date: new Date().toISOString(), duration_minutes: 60 },
    ...{ generate_months: 4, auto_transition_enabled: true },
  })
  await settled(service)
  const all = await occurrencesOf(service, body.id, 'limit=500')
  const made = all.filter(({ status }) => status === 'created')
  expect(made.length).toBeGreaterThanOrEqual(118)
  expect(new Set(all.map(({ index }) => index)).size).toBe(all.length)
  expect(new Set(all.map(({ original_start_time }) => original_start_time)).size).toBe(all.length)
})
