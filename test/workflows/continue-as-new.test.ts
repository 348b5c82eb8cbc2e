import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dueTimes, gapsOf, notesOf, openIncident, postUpdate, processOf } from '../support/incidents.ts'
import { openShortRunProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 250

let processes: TestProcesses
beforeAll(async () => {
  processes = await openShortRunProcesses({ events: 20, minuteMs: MINUTE })
  await processes.startWorker()
})
afterAll(() => processes?.close())

const handleOf = (workflowId: string) => processes.temporal.client.workflow.getHandle(workflowId)

test('a process with a long history continues as new without a lost step', async () => {
  const { service } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
  await settled(service)
  const first = await handleOf(workflowId).describe()
  await until(
    () => handleOf(workflowId).describe(),
    ({ runId }) => runId !== first.runId,
  )
  const { length } = await dueTimes(service, id)
  await until(
    () => dueTimes(service, id),
    (times) => times.length >= length + 6,
  )
  expect(await gapsOf(service, id, MINUTE)).toEqual([])
  await postUpdate(service, id, { reminder_interval_minutes: null })
  await until(
    () => processOf(service, workflowId),
    (process) => process.until === null,
  )
  expect(await notesOf(service, workflowId)).toContainEqual(expect.stringMatching(/^woken by update/))
})

test('many wake-ups are all read across several runs', async () => {
  const { service } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1000 })
  await settled(service)
  const first = await handleOf(workflowId).describe()
  for (let round = 0; round < 40; round += 1) {
    await postUpdate(service, id)
    processes.relay.wakeProcesses([{ kind: 'incident', id, pageId: service.page.id }])
  }
  await settled(service)
  expect((await handleOf(workflowId).describe()).runId).not.toBe(first.runId)
  expect(await notesOf(service, workflowId)).toHaveLength(41)
})
