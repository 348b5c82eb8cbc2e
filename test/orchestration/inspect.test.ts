import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTemporal } from '../../src/orchestration/client.ts'
import { inspectProcess } from '../../src/orchestration/inspect.ts'
import { openIncident, processOf, resolve } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  processes = await openTestProcesses({ immediate: false })
  service = processes.service
  await processes.startWorker()
})
afterAll(() => processes?.close())

const full = (workflowId: string) => service.admin.get(`/admin/workflows/${workflowId}/history?view=full`)

test('the full view adds the state of the workflow and its raw history', async () => {
  const { workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const { waiting_for, until: due } = await processOf(service, workflowId)
  const { body } = await until(
    () => full(workflowId),
    ({ body }) => body.temporal.state?.until !== undefined,
  )
  expect(body.events).toHaveLength(1)
  expect(body.temporal).toMatchObject({ status: 'answered', state: { done: false, says: waiting_for, until: due } })
  expect(body.temporal.history[0]).toMatchObject({ eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED' })
  const { body: compact } = await service.admin.get(`/admin/workflows/${workflowId}/history`)
  expect(compact).toEqual({ events: body.events, total: 1, next_cursor: body.next_cursor })
})

test('the full view of an ended process works while Temporal retains the workflow', async () => {
  const { id, workflowId } = await openIncident(service)
  await resolve(service, id)
  await settled(service)
  const { body } = await until(
    () => full(workflowId),
    ({ body }) => body.temporal.history?.at(-1).eventType === 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
  )
  expect(body.temporal.state).toEqual({ done: true, says: 'nothing: the incident is resolved' })
})

test('the full view reports a workflow that Temporal has lost, and returns the rest', async () => {
  const { workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  await until(
    () => full(workflowId),
    ({ body }) => body.temporal.state !== null,
  )
  const { workflowService } = processes.temporal.client
  await workflowService.deleteWorkflowExecution({
    namespace: processes.temporal.namespace,
    workflowExecution: { workflowId },
  })
  const { status, body } = await until(
    () => full(workflowId),
    ({ body }) => body.temporal.status !== 'answered',
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ temporal: { status: 'forgotten' }, total: 1 })
})

test('without a worker the full view has the history and no state', async () => {
  const { workflowId } = await openIncident(service)
  await settled(service)
  await processes.stopWorker()
  const { body } = await full(workflowId)
  expect(body.temporal).toMatchObject({ status: 'answered', state: null })
  await processes.startWorker()
})

test('the full view reports that Temporal is away', async () => {
  const away = openTemporal('127.0.0.1:9', 'upbeat')
  expect(await inspectProcess(away, 'incident:1')).toEqual({ status: 'away' })
  await away.close()
})
