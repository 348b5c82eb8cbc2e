import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Step, takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import {
  creationNote,
  dueTimes,
  notesOf,
  openIncident,
  postUpdate,
  processOf,
  remindersOf,
  resolve,
  unread,
} from '../support/incidents.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const reported = new Date('2026-03-02T09:00:00.000Z')
const MINUTE = 60_000
const at = (minutes: number) => new Date(reported.getTime() + minutes * MINUTE)

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: reported })
})
afterAll(() => service?.close())

async function hourly() {
  service.now = reported
  return openIncident(service, { reminder_interval_minutes: 60 })
}

const look = (id: number, now: Date, step: Step = steps.incident) =>
  takeStep(service.services, step, { kind: 'incident', pageId: service.page.id, id, now })

test('a step that is taken twice writes once', async () => {
  const { id, workflowId } = await hourly()
  const first = await look(id, at(60))
  expect(await look(id, at(60))).toEqual(first)
  expect(await dueTimes(service, id)).toEqual([at(60)])
  expect(await notesOf(service, workflowId)).toEqual([
    creationNote(id, at(60)),
    `wrote the reminder due at ${at(60).toISOString()}`,
  ])
})

test('steps that are taken at once write once', async () => {
  const { id } = await hourly()
  const results = await Promise.all(Array.from({ length: 6 }, () => look(id, at(60))))
  expect(results).toEqual(
    Array(6).fill({ done: false, says: `the reminder at ${at(120).toISOString()}`, until: at(120) }),
  )
  expect(await dueTimes(service, id)).toEqual([at(60)])
})

test('a step whose facts were restored from a backup does not write a reminder again', async () => {
  const { id, workflowId } = await hourly()
  await look(id, at(60))
  await service.services.system.em.fork().execute('update incident set reminded_until = null where id = ?', [id])
  await look(id, at(60))
  expect(await dueTimes(service, id)).toEqual([at(60)])
  expect((await notesOf(service, workflowId)).at(-1)).toBe(
    `skipped the reminder due at ${at(60).toISOString()}: an earlier step wrote it`,
  )
})

test('an update right before the reminder prevents the reminder', async () => {
  const { id } = await hourly()
  const updated = new Date(at(60).getTime() - 100)
  service.now = updated
  await postUpdate(service, id)
  const next = new Date(updated.getTime() + 60 * MINUTE)
  expect(await look(id, at(60))).toMatchObject({ until: next })
  expect(await remindersOf(service, id)).toEqual([])
})

test('a step before the due moment leaves the reminder to a later step', async () => {
  const { id } = await hourly()
  const early = new Date(at(60).getTime() - 1)
  expect(await look(id, early)).toMatchObject({ until: at(60) })
  expect(await remindersOf(service, id)).toEqual([])
})

test('several missed reminders cause one reminder, and the next reminder is on the grid', async () => {
  const { id } = await hourly()
  expect(await look(id, at(5 * 60 + 1))).toMatchObject({ until: at(6 * 60) })
  expect(await remindersOf(service, id)).toMatchObject([{ due_at: at(60), late: true, missed: 5 }])
})

test('a change during a step is left to the next step', async () => {
  const { id, workflowId } = await hourly()
  await look(id, reported)
  let update: Promise<unknown> | undefined
  const result = await look(id, at(1), async (ctx) => {
    await service.admin.post(`/admin/workflows/${workflowId}/wake`)
    const read = await steps.incident(ctx)
    // The change waits for the lock of the step, so it changes facts that the step has read.
    update = resolve(service, id)
    return read
  })
  await update
  expect(result.done).toBe(false)
  expect(await unread(service, workflowId)).toBe(2)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'running' })
  expect(await look(id, at(2))).toMatchObject({ done: true })
  expect(await unread(service, workflowId)).toBe(0)
})

test('a request during a step is answered by the next step', async () => {
  const { id, workflowId } = await hourly()
  await look(id, reported)
  let question = 0
  await look(id, at(1), async (ctx) => {
    question = (await service.admin.post(`/admin/workflows/${workflowId}/wake`)).body.request_id
    return steps.incident(ctx)
  })
  const answers = () =>
    service.services.system.em
      .fork()
      .execute<object[]>('select answer from process_request where id = ? and answered_at is not null', [question])
  expect(await answers()).toEqual([])
  await look(id, at(2))
  expect(await answers()).toMatchObject([{ answer: { workflow_id: workflowId, state: 'waiting' } }])
})

test('the process of a deleted incident ends', async () => {
  expect(await look(4711, reported)).toEqual({ done: true, says: 'nothing: the incident was deleted' })
})

test('the time between a wake-up and its step is measured', async () => {
  const { id } = await hourly()
  const lags: number[] = []
  service.now = new Date(reported.getTime() + 250)
  await takeStep({ ...service.services, observeWakeup: (seconds) => lags.push(seconds) }, steps.incident, {
    kind: 'incident',
    pageId: service.page.id,
    id,
    now: service.now,
  })
  expect(lags).toEqual([0.25])
})
