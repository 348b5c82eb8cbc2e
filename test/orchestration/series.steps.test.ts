import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { occurrencesOf, seriesPath } from '../support/series.ts'

quietRuntime()

/** Uses a real Temporal: the server that skips time stops with hundreds of workflows on a busy machine. */
let works: Works
let house: Works['house']
beforeAll(async () => {
  works = await openWorks()
  house = works.house
  await works.startWorker()
})
afterAll(() => works?.close())

/** A step creates at most a hundred maintenances. */
test('the maintenances of a long daily series are created in several steps, each once', async () => {
  const { body } = await house.admin.post(seriesPath, {
    ...{ title: 'Daily', affected_items: [{ id: await makeItem(house, 'Database') }], recurrence_type: 'daily' },
    ...{ timezone: 'Europe/Berlin', start_time: '02:30', start_date: new Date().toISOString(), duration_minutes: 60 },
    ...{ generate_months: 4, auto_transition_enabled: true },
  })
  await settled(house)
  const all = await occurrencesOf(house, body.id, 'limit=500')
  const made = all.filter(({ status }) => status === 'created')
  expect(made.length).toBeGreaterThanOrEqual(118)
  expect(new Set(all.map(({ index }) => index)).size).toBe(all.length)
  expect(new Set(all.map(({ original_start_time }) => original_start_time)).size).toBe(all.length)
})
