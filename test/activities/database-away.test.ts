import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withoutDatabase } from '../support/administrator.ts'
import { dueTimes, gapsOf, openIncident, remindersOf } from '../support/incidents.ts'
import { openShortRunProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { passed, until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 500

let processes: TestProcesses
beforeAll(async () => {
  processes = await openShortRunProcesses({ minuteMs: MINUTE })
  await processes.startWorker()
})
afterAll(() => processes?.close())

test('a process whose database is away for a while tries on, and writes what it missed when it is back', async () => {
  const { service, temporal } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
  await until(
    () => dueTimes(service, id),
    ({ length }) => length >= 2,
  )
  await withoutDatabase(service, () => passed(new Date(Date.now() + 4 * MINUTE)))
  const { length } = await dueTimes(service, id)
  await until(
    () => dueTimes(service, id),
    (times) => times.length >= length + 2,
  )
  expect(await gapsOf(service, id, MINUTE)).toEqual([])
  const most = Math.max(...(await remindersOf(service, id)).map(({ missed }) => missed))
  expect(most).toBeGreaterThanOrEqual(3)
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory()
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
  await settled(service)
})
