import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dueTimes, openIncident } from '../support/incidents.ts'
import { openShortRunProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
beforeAll(async () => {
  processes = await openShortRunProcesses({ minuteMs: 250 })
  await processes.startWorker()
})
afterAll(() => processes?.close())

const handleOf = (workflowId: string) => processes.temporal.client.workflow.getHandle(workflowId)

async function costOf(workflowId: string) {
  const { stateTransitionCount, historyLength } = (await handleOf(workflowId).describe()).raw.workflowExecutionInfo!
  return { transitions: Number(stateTransitionCount), events: Number(historyLength) }
}

test('a reminder costs Temporal four state transitions and seven events at most', async () => {
  const { service } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
  const count = async () => (await dueTimes(service, id)).length
  const from = await until(count, (reminders) => reminders >= 2)
  const before = await costOf(workflowId)
  await until(count, (reminders) => reminders >= from + 15)
  const after = await costOf(workflowId)
  // Each of the two was read during a workflow task.
  const rounds = (await count()) - from + 2
  expect(after.transitions - before.transitions).toBeLessThanOrEqual(4 * rounds)
  expect(after.events - before.events).toBeLessThanOrEqual(7 * rounds)
})

test('the start of a process costs one workflow task', async () => {
  const { service } = processes
  const { workflowId } = await openIncident(service, { reminder_interval_minutes: 1000 })
  await settled(service)
  // Waits for the end of the workflow task.
  const { events } = await until(
    () =>
      handleOf(workflowId)
        .fetchHistory()
        .catch(() => ({ events: [] })),
    ({ events: all }) => all?.some((event) => event.workflowTaskCompletedEventAttributes) ?? false,
  )
  expect(events!.length).toBeLessThanOrEqual(7)
})
