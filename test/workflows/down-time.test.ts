import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { dueTimes, notesOf, openIncident, processOf, remindersOf } from '../support/incidents.ts'
import { openImpatientWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { until } from '../support/wait.ts'

jest.setTimeout(120_000)
quietRuntime()

/** In real time, with minutes of a second: the server that skips time does not while a task waits. */
const MINUTE = 1000

let works: Works
let house: Works['house']
beforeAll(async () => {
  works = await openImpatientWorks({ minuteMs: MINUTE })
  house = works.house
  await works.startWorker()
})
afterAll(() => works?.close())

test('reminders that fell due while nobody worked are one that says how many, and the next is on the grid', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  const [first] = await until(
    () => dueTimes(house, id),
    (times) => times.length === 1,
  )
  const due = (number: number) => new Date(first!.getTime() + (number - 1) * MINUTE)
  await works.stopWorker()
  await sleep(due(5).getTime() + MINUTE / 4 - Date.now())
  expect(await dueTimes(house, id)).toEqual([first])
  await works.startWorker()
  await settled(house)
  // A slow machine may have come to the next ones by the time it is asked: what holds is what the first two say.
  const [one, late] = await remindersOf(house, id)
  expect(one).toMatchObject({ due_at: due(1) })
  expect(late).toMatchObject({ due_at: due(2), late: true })
  const { created_at, missed } = late!
  expect(missed).toBe(Math.floor((created_at.getTime() - due(2).getTime()) / MINUTE) + 1)
  expect(missed).toBeGreaterThanOrEqual(4)
  expect(await notesOf(house, workflowId)).toContain(
    `reminder due ${due(2).toISOString()} written late at ${created_at.toISOString()}, standing for ${missed} that were missed`,
  )
  const [, , next] = await until(
    () => dueTimes(house, id),
    (times) => times.length >= 3,
  )
  expect(next).toEqual(due(2 + missed))
  const { waiting_for } = await processOf(house, workflowId)
  expect(waiting_for).toMatch(/^the reminder at /)
  const waits = Date.parse(waiting_for!.replace('the reminder at ', ''))
  expect((waits - first!.getTime()) % MINUTE).toBe(0)
})
