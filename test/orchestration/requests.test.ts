import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { notesOf, openIncident, resolve, unread } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  processes = await openTestProcesses()
  service = processes.service
  await processes.startWorker()
})
afterAll(() => processes?.close())

const ask = (workflowId: string) => service.admin.post(`/admin/workflows/${workflowId}/wake`)

/** Repeats a request, because a machine that is busy with other tests may need more than the two seconds of a caller. */
const answered = (workflowId: string) =>
  until(
    () => ask(workflowId),
    ({ status }) => status === 200,
  )

const answerTo = async (requestId: number) => {
  const [row] = await service.services.system.em
    .fork()
    .execute<{ answer: object | null }[]>('select answer from process_request where id = ?', [requestId])
  return row!.answer
}

test('a requested process takes a step, and its answer arrives within the deadline', async () => {
  const { workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const { body } = await answered(workflowId)
  expect(body.workflow).toMatchObject({ workflow_id: workflowId, state: 'waiting', oldest_wakeup_at: null })
  expect(await answerTo(body.request_id)).toMatchObject({ workflow_id: workflowId, state: 'waiting' })
  expect((await notesOf(service, workflowId)).at(-1)).toBe('woken by a request of admin page_admin')
})

test('a process that has ended takes a step at a request', async () => {
  const { id, workflowId } = await openIncident(service)
  await resolve(service, id)
  await settled(service)
  expect(await answered(workflowId)).toMatchObject({ body: { workflow: { state: 'done' } } })
})

test('all concurrent requests are answered', async () => {
  const { workflowId } = await openIncident(service)
  await settled(service)
  const answers = await Promise.all(Array.from({ length: 10 }, () => answered(workflowId)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
})

test('without a worker the answer is 202 with a Location, and the wake-up causes the step later', async () => {
  const { workflowId } = await openIncident(service)
  await settled(service)
  await processes.stopWorker()
  const { status, body, headers } = await ask(workflowId)
  expect(status).toBe(202)
  expect(headers.get('location')).toBe(`/api/v1/admin/workflows/${workflowId}`)
  expect(await unread(service, workflowId)).toBe(1)
  expect(await answerTo(body.request_id)).toBeNull()
  await processes.startWorker()
  await until(
    () => answerTo(body.request_id),
    (answer) => answer !== null,
  )
  await settled(service)
})
