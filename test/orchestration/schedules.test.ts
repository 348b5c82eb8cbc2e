import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ScheduleOverlapPolicy } from '@temporalio/client'
import { keepSchedules } from '../../src/orchestration/schedules.ts'
import { coreQueue, jobs } from '../../workflows/contract.ts'
import { openTestProcesses, quietRuntime, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
beforeAll(async () => {
  processes = await openTestProcesses()
  await processes.startWorker()
})
afterAll(() => processes?.close())

const handleOf = (id: string) => processes.temporal.client.schedule.getHandle(id)

test('repeated and concurrent calls of keepSchedules create each schedule once', async () => {
  await Promise.all([keepSchedules(processes.temporal), keepSchedules(processes.temporal)])
  await keepSchedules(processes.temporal)
  for (const [id, { workflow }] of Object.entries(jobs)) {
    const { spec, action, policies, state } = await handleOf(id).describe()
    expect(spec.intervals?.map(({ every }) => every)).toEqual([id === 'retention' ? 3_600_000 : 60_000])
    expect(action).toMatchObject({ workflowType: workflow, taskQueue: coreQueue })
    expect([policies.overlap, state.paused]).toEqual([ScheduleOverlapPolicy.SKIP, false])
  }
})

test('an outdated schedule is updated, and stays paused if it was paused', async () => {
  const handle = handleOf('beat-rollup')
  await handle.update((known) => ({ ...known, spec: { intervals: [{ every: '1 day' }] } }))
  // Temporal acknowledges changes and applies them a moment later: an update that is applied after a pause undoes the pause.
  await until(
    () => handle.describe(),
    ({ spec: { intervals } }) => intervals?.[0]?.every === 86_400_000,
  )
  await handle.pause('for a while')
  await until(
    () => handle.describe(),
    ({ state: { paused } }) => paused,
  )
  await keepSchedules(processes.temporal)
  const { state } = await until(
    () => handle.describe(),
    ({ spec: { intervals } }) => intervals?.[0]?.every === 60_000,
  )
  expect(state.paused).toBe(true)
  await handle.unpause()
})

test('the workflows of the schedules run to their ends', async () => {
  for (const id of Object.keys(jobs)) {
    await handleOf(id).trigger()
    const { info } = await until(
      () => handleOf(id).describe(),
      ({ info: { recentActions } }) => recentActions.length > 0,
    )
    const { workflowId } = info.recentActions[0]!.action.workflow
    await processes.temporal.client.workflow.getHandle(workflowId).result()
  }
})
