import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { coreQueue, jobs } from '../../workflows/contract.ts'
import { storeResults } from '../support/beat-results.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses } from '../support/processes.ts'
import { insertBeat } from '../support/stored-beats.ts'

quietRuntime()

let processes: SkippingProcesses
beforeAll(async () => {
  processes = await openSkippingProcesses()
})
afterAll(() => processes?.close())

const DAY = 24 * 60 * 60 * 1000

test('the workflows of schedules count results into minutes and delete old results', async () => {
  const { service, temporal } = processes
  const ago = (days: number) => new Date(service.now.getTime() - days * DAY)
  const beat_id = await insertBeat(service)
  await storeResults(service, [
    { beat_id, at: ago(7.5) },
    { beat_id, at: ago(1) },
  ])
  const run = (workflow: string) =>
    temporal.client.workflow.execute(workflow, { taskQueue: coreQueue, workflowId: `${workflow}-by-hand`, args: [] })
  await run(jobs['beat-rollup'].workflow)
  await run(jobs['beat-rollup'].workflow)
  await run(jobs.retention.workflow)
  const [left] = await service.services.system.em.fork().execute(
    `select (select count(*)::int from beat_result) as results,
      (select count(*)::int from beat_rollup where span_seconds = 60) as minutes`,
  )
  expect(left).toEqual({ results: 1, minutes: 2 })
})
