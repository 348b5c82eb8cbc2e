import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { notesOf, openIncident, resolve, unread } from '../support/incidents.ts'
import { openWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let works: Works
let house: Works['house']
beforeAll(async () => {
  works = await openWorks()
  house = works.house
  await works.startWorker()
})
afterAll(() => works?.close())

const ask = (workflowId: string) => house.admin.post(`/admin/workflows/${workflowId}/wake`)

/** Repeats a request, because a machine that is busy with other tests may need more than the two seconds of a caller. */
const answered = (workflowId: string) =>
  until(
    () => ask(workflowId),
    ({ status }) => status === 200,
  )

const answerTo = async (requestId: number) => {
  const [row] = await house.services.system.em
    .fork()
    .execute<{ answer: object | null }[]>('select answer from process_request where id = ?', [requestId])
  return row!.answer
}

test('a requested process takes a step, and its answer arrives within the deadline', async () => {
  const { workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await settled(house)
  const { body } = await answered(workflowId)
  expect(body.workflow).toMatchObject({ workflow_id: workflowId, state: 'waiting', oldest_wakeup_at: null })
  expect(await answerTo(body.request_id)).toMatchObject({ workflow_id: workflowId, state: 'waiting' })
  expect((await notesOf(house, workflowId)).at(-1)).toBe('woken by a request of admin page_admin')
})

test('a process that has ended takes a step at a request', async () => {
  const { id, workflowId } = await openIncident(house)
  await resolve(house, id)
  await settled(house)
  expect(await answered(workflowId)).toMatchObject({ body: { workflow: { state: 'done' } } })
})

test('all concurrent requests are answered', async () => {
  const { workflowId } = await openIncident(house)
  await settled(house)
  const answers = await Promise.all(Array.from({ length: 10 }, () => answered(workflowId)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
})

test('without a worker the answer is 202 with a Location, and the wake-up causes the step later', async () => {
  const { workflowId } = await openIncident(house)
  await settled(house)
  await works.stopWorker()
  const { status, body, headers } = await ask(workflowId)
  expect(status).toBe(202)
  expect(headers.get('location')).toBe(`/api/v1/admin/workflows/${workflowId}`)
  expect(await unread(house, workflowId)).toBe(1)
  expect(await answerTo(body.request_id)).toBeNull()
  await works.startWorker()
  await until(
    () => answerTo(body.request_id),
    (answer) => answer !== null,
  )
  await settled(house)
})
