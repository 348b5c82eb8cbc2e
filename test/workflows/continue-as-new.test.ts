import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dueTimes, gapsOf, notesOf, openIncident, postUpdate, processOf } from '../support/incidents.ts'
import { openImpatientWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 250

let works: Works
beforeAll(async () => {
  works = await openImpatientWorks({ events: 20, minuteMs: MINUTE })
  await works.startWorker()
})
afterAll(() => works?.close())

const handleOf = (workflowId: string) => works.temporal.client.workflow.getHandle(workflowId)

test('a process with a long history continues as new without a lost step', async () => {
  const { house } = works
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  await settled(house)
  const first = await handleOf(workflowId).describe()
  await until(
    () => handleOf(workflowId).describe(),
    ({ runId }) => runId !== first.runId,
  )
  const { length } = await dueTimes(house, id)
  await until(
    () => dueTimes(house, id),
    (times) => times.length >= length + 6,
  )
  expect(await gapsOf(house, id, MINUTE)).toEqual([])
  await postUpdate(house, id, { reminder_interval_minutes: null })
  await until(
    () => processOf(house, workflowId),
    (process) => process.until === null,
  )
  expect(await notesOf(house, workflowId)).toContainEqual(expect.stringMatching(/^woken by update/))
})

test('many wake-ups are all read across several runs', async () => {
  const { house } = works
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1000 })
  await settled(house)
  const first = await handleOf(workflowId).describe()
  for (let round = 0; round < 40; round += 1) {
    await postUpdate(house, id)
    works.relay.ring([{ kind: 'incident', id, pageId: house.page.id }])
  }
  await settled(house)
  expect((await handleOf(workflowId).describe()).runId).not.toBe(first.runId)
  expect(await notesOf(house, workflowId)).toHaveLength(41)
})
