import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withoutDatabase } from '../support/administrator.ts'
import { dueTimes, gapsOf, openIncident, remindersOf } from '../support/incidents.ts'
import { openImpatientWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { passed, until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 500

let works: Works
beforeAll(async () => {
  works = await openImpatientWorks({ minuteMs: MINUTE })
  await works.startWorker()
})
afterAll(() => works?.close())

test('a process whose database is away for a while tries on, and writes what it missed when it is back', async () => {
  const { house, temporal } = works
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  await until(
    () => dueTimes(house, id),
    ({ length }) => length >= 2,
  )
  await withoutDatabase(house, () => passed(new Date(Date.now() + 4 * MINUTE)))
  const { length } = await dueTimes(house, id)
  await until(
    () => dueTimes(house, id),
    (times) => times.length >= length + 2,
  )
  expect(await gapsOf(house, id, MINUTE)).toEqual([])
  const most = Math.max(...(await remindersOf(house, id)).map(({ missed }) => missed))
  expect(most).toBeGreaterThanOrEqual(3)
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory()
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
  await settled(house)
})
