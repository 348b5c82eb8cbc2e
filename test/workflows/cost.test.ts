import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { dueTimes, openIncident } from '../support/incidents.ts'
import { openImpatientWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { until } from '../support/wait.ts'

jest.setTimeout(120_000)
quietRuntime()

let works: Works
beforeAll(async () => {
  works = await openImpatientWorks({ minuteMs: 250 })
  await works.startWorker()
})
afterAll(() => works?.close())

/** Read between two reminders, when the round is over. */
async function read(workflowId: string) {
  const { raw } = await works.temporal.client.workflow.getHandle(workflowId).describe()
  const { stateTransitionCount, historyLength } = raw.workflowExecutionInfo!
  return { transitions: Number(stateTransitionCount), events: Number(historyLength) }
}

test('a reminder costs Temporal four state transitions and seven events at most', async () => {
  const { house } = works
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  const reminders = async (count: number) => {
    await until(
      () => dueTimes(house, id),
      ({ length }) => length >= count,
    )
    await settled(house)
    await sleep(100)
    return { count: (await dueTimes(house, id)).length, ...(await read(workflowId)) }
  }
  const before = await reminders(2)
  const after = await reminders(12)
  const rounds = after.count - before.count
  const cost = {
    transitions: (after.transitions - before.transitions) / rounds,
    events: (after.events - before.events) / rounds,
  }
  expect(cost.transitions).toBeLessThanOrEqual(4)
  expect(cost.events).toBeLessThanOrEqual(7)
})

test('a process that is started costs one round', async () => {
  const { house } = works
  const { workflowId } = await openIncident(house)
  await settled(house)
  await sleep(200)
  expect((await read(workflowId)).events).toBeLessThanOrEqual(6)
})
