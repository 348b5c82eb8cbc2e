import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { stateQuery } from '../../workflows/contract.ts'
import { creationNote, notesOf, openIncident, postUpdate, processOf, resolve } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'

quietRuntime()

let processes: TestProcesses
beforeAll(async () => {
  processes = await openTestProcesses()
  await processes.startWorker()
})
afterAll(() => processes?.close())

const handleOf = (workflowId: string) => processes.temporal.client.workflow.getHandle(workflowId)

/** The details on the page of the workflow in the UI of Temporal. */
async function shownByTemporal(workflowId: string) {
  const handle = handleOf(workflowId)
  const { currentDetails, definition } = await handle.query<{ currentDetails: string; definition: object }>(
    '__temporal_workflow_metadata',
  )
  return { summary: await (await handle.describe()).staticSummary(), currentDetails, definition }
}

test('the API, the query and the UI of Temporal show the same text for what a process waits for', async () => {
  const { service } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const { waiting_for, until, ...process } = await processOf(service, workflowId)
  expect(process).toMatchObject({ kind: 'incident', subject: { kind: 'incident', id }, state: 'waiting' })
  expect(waiting_for).toBe(`the reminder at ${until}`)
  expect(await handleOf(workflowId).query(stateQuery)).toEqual({
    done: false,
    says: waiting_for,
    until: Date.parse(until),
  })
  const shown = await shownByTemporal(workflowId)
  expect(shown).toMatchObject({
    summary: `incident ${id} of page ${service.page.id}`,
    currentDetails: `The incident ${id} of page ${service.page.id} waits for ${waiting_for}`,
    definition: {
      queryDefinitions: expect.arrayContaining([
        { name: 'state', description: 'What the process waits for, and until when' },
      ]),
      signalDefinitions: [{ name: 'wake', description: 'Facts have changed: take a step' }],
      updateDefinitions: [{ name: 'ring', description: 'Take a step now, and return after the step' }],
    },
  })
  const { events } = await handleOf(workflowId).fetchHistory()
  const timer = events?.find((event) => event.timerStartedEventAttributes)
  expect(Buffer.from(timer!.userMetadata!.summary!.data!).toString()).toBe(JSON.stringify(waiting_for))
})

test('the notes of a process describe its history', async () => {
  const { service } = processes
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const first = await processOf(service, workflowId)
  expect(first.waiting_for).toBe(`the reminder at ${first.until}`)
  const { body: update } = await postUpdate(service, id)
  await settled(service)
  const second = await processOf(service, workflowId)
  await resolve(service, id)
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({
    state: 'done',
    waiting_for: 'nothing: the incident is resolved',
  })
  expect(await notesOf(service, workflowId)).toEqual([
    creationNote(id, first.until),
    `woken by update ${update.id}; the next reminder is due at ${second.until}`,
    `woken by update ${update.id + 1}, which resolved the incident`,
  ])
  // Waits until the timer of the reminder fires.
  processes.relay.wakeProcesses([{ kind: 'incident', id, pageId: service.page.id }])
  expect(await handleOf(workflowId).result()).toBeUndefined()
  expect((await shownByTemporal(workflowId)).currentDetails).toBe(
    `The incident ${id} of page ${service.page.id} waits for nothing: the incident is resolved`,
  )
})
