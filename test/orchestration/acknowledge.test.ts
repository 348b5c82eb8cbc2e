import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { administer, holding } from '../support/administrator.ts'
import { creationNote, notesOf, openIncident, processOf, resolve, unread } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  processes = await openTestProcesses({ immediate: false })
  service = processes.service
  // The first worker registers the namespace.
  await processes.startWorker()
  await processes.stopWorker()
})
afterEach(() => processes.stopWorker())
afterAll(() => processes?.close())

const handleOf = (workflowId: string) => processes.temporal.client.workflow.getHandle(workflowId)
const query = <T extends object>(sql: string, params: unknown[]) =>
  service.services.system.em.fork().execute<T[]>(sql, params)

const sent = (workflowId: string) =>
  until(
    () => query<{ sent_at: string | null }>('select sent_at from wakeup where workflow_id = ?', [workflowId]),
    (rows) => rows.length > 0 && rows.every((row) => row.sent_at !== null),
  )

test('a signal that a workflow received at its end is sent again: only a step deletes a wake-up', async () => {
  const { id, workflowId } = await openIncident(service)
  await sent(workflowId)
  // The workflow has the signal, and ends without a step.
  await handleOf(workflowId).terminate('a test')
  expect(await unread(service, workflowId)).toBe(1)
  await processes.startWorker()
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting' })
  expect(await notesOf(service, workflowId)).toEqual([creationNote(id)])
})

test('a wake-up during the last step is read before the process ends', async () => {
  const { id, workflowId } = await openIncident(service)
  await resolve(service, id)
  await holding(service, `select id from incident where id = ${id} for update`, async () => {
    await processes.startWorker()
    // The step has deleted its wake-ups, and waits for the lock of the incident.
    await until(
      () =>
        administer(
          service,
          "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      (waiting) => waiting.length === 1,
    )
    const asked = await service.admin.post(`/admin/workflows/${workflowId}/wake`)
    // The wake-up exists, and the update of the workflow has no answer yet: the step still runs.
    expect(asked.status).toBe(202)
  })
  await settled(service)
  await until(
    () => handleOf(workflowId).describe(),
    ({ status }) => status.name === 'COMPLETED',
  )
  const notes = await notesOf(service, workflowId)
  expect(notes).toHaveLength(3)
  expect(notes.at(-1)).toBe('woken by a request of admin page_admin')
  expect(await unread(service, workflowId)).toBe(0)
})
