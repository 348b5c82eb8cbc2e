import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { stateQuery } from '../../workflows/contract.ts'
import { notesOf, openIncident, postUpdate, processOf, resolve } from '../support/incidents.ts'
import { openWorks, quietRuntime, settled, type Works } from '../support/processes.ts'

jest.setTimeout(60_000)
quietRuntime()

let works: Works
beforeAll(async () => {
  works = await openWorks()
  await works.startWorker()
})
afterAll(() => works?.close())

test('what a process says is the same wherever one reads it', async () => {
  const { house, temporal } = works
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await settled(house)
  const handle = temporal.client.workflow.getHandle(workflowId)
  const shown = await processOf(house, workflowId)
  expect(shown).toMatchObject({ kind: 'incident', subject: { kind: 'incident', id }, state: 'waiting' })
  expect(shown.waiting_for).toBe(`the reminder at ${shown.until}`)
  expect(await handle.query(stateQuery)).toEqual({
    done: false,
    says: shown.waiting_for,
    until: Date.parse(shown.until),
  })
  const description = await handle.describe()
  expect(await description.staticSummary()).toBe(`incident ${id} of page ${house.page.id}`)
  const { definition, currentDetails } = await metadataOf(handle)
  console.log(JSON.stringify({ definition, currentDetails }))
  const r = await postUpdate(house, id)
  await resolve(house, id)
  await settled(house)
  console.log(r.body, await notesOf(house, workflowId))
})

async function metadataOf(handle: { query(name: string): Promise<unknown> }) {
  return (await handle.query('__temporal_workflow_metadata')) as { currentDetails: string; definition: object }
}
