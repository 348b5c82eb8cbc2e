import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dueTimes, notesOf, openIncident, processOf, remindersOf } from '../support/incidents.ts'
import { openShortRunProcesses, quietRuntime, type TestProcesses } from '../support/processes.ts'
import { passed, until } from '../support/wait.ts'

quietRuntime()

/** In real time, with minutes of a second: the server that skips time does not skip while a task waits. */
const MINUTE = 1000

let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  processes = await openShortRunProcesses({ minuteMs: MINUTE })
  service = processes.service
  await processes.startWorker()
})
afterAll(() => processes?.close())

test('reminders that fell due without a worker cause one reminder with their number, and the next reminder is on the grid', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
  await until(
    () => dueTimes(service, id),
    (times) => times.length > 0,
  )
  await processes.stopWorker()
  const before = await remindersOf(service, id)
  const { due_at, missed: counted } = before.at(-1)!
  const missedFrom = new Date(due_at.getTime() + Math.max(1, counted) * MINUTE)
  await passed(new Date(missedFrom.getTime() + 3.25 * MINUTE))
  expect(await remindersOf(service, id)).toEqual(before)
  await processes.startWorker()
  // On a slow machine further reminders may exist, so only the first two are compared.
  const [late, next] = await until(
    async () => (await remindersOf(service, id)).slice(before.length),
    (written) => written.length >= 2,
  )
  expect(late).toMatchObject({ due_at: missedFrom, late: true })
  const { created_at, missed } = late!
  expect(missed).toBe(Math.floor((created_at.getTime() - missedFrom.getTime()) / MINUTE) + 1)
  expect(missed).toBeGreaterThanOrEqual(4)
  expect(await notesOf(service, workflowId)).toContain(
    `wrote the reminder due at ${missedFrom.toISOString()}, late at ${created_at.toISOString()} (one reminder instead of ${missed} missed ones)`,
  )
  expect(next!.due_at).toEqual(new Date(missedFrom.getTime() + missed * MINUTE))
  const { waiting_for } = await until(
    () => processOf(service, workflowId),
    (process) => process.state === 'waiting',
  )
  expect(waiting_for).toMatch(/^the reminder at /)
  const waits = Date.parse(waiting_for!.replace('the reminder at ', ''))
  expect((waits - missedFrom.getTime()) % MINUTE).toBe(0)
})
