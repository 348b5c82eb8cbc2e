import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { startSweep } from '../../src/orchestration/sweep.ts'
import { dueTimes, notesOf, openIncident, processOf, remindersOf } from '../support/incidents.ts'
import { openWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { type OwnTemporal, ownTemporal } from '../support/temporal.ts'
import { until } from '../support/wait.ts'

jest.setTimeout(120_000)
quietRuntime()

/** Minutes of half a second. */
let server: OwnTemporal
let works: Works
let sweep: ReturnType<typeof startSweep>
let house: Works['house']
beforeAll(async () => {
  server = await ownTemporal()
  works = await openWorks({ address: server.address, minuteMs: 500 })
  house = works.house
  const { system, logger, clock } = house.services
  sweep = startSweep({ system, temporal: works.temporal, logger, clock, everyMs: 1000 })
})
afterAll(async () => {
  await sweep?.close()
  await works?.close()
  await server?.close()
})

/** Every due moment since the first is there, alone or counted in a late reminder. */
async function expectNoGap(id: number): Promise<void> {
  const reminders = await remindersOf(house, id)
  for (const [index, { due_at, missed }] of reminders.slice(0, -1).entries()) {
    expect(reminders[index + 1]!.due_at.getTime() - due_at.getTime()).toBe(500 * Math.max(1, missed))
  }
}

const moreReminders = async (id: number) => {
  const { length } = await dueTimes(house, id)
  await until(
    () => dueTimes(house, id),
    (times) => times.length >= length + 3,
    30_000,
  )
}

test('a worker that starts while Temporal is away begins when it comes', async () => {
  await server.stop()
  const { workflowId } = await openIncident(house)
  const started = works.startWorker()
  expect(await Promise.race([started.then(() => 'started'), sleep(2500, 'waiting')])).toBe('waiting')
  await server.start()
  const t = Date.now()
  await started
  console.log('started', Date.now() - t)
  await settled(house)
  console.log('settled', Date.now() - t)
  expect(await processOf(house, workflowId)).toMatchObject({ state: 'waiting' })
})

test('a worker goes on when Temporal was away for a while', async () => {
  const { id } = await openIncident(house, { reminder_interval_minutes: 1 })
  await moreReminders(id)
  await server.stop()
  await sleep(3000)
  await server.start()
  const t = Date.now()
  await moreReminders(id)
  console.log('more', Date.now() - t)
  await expectNoGap(id)
})

test('a worker goes on when Temporal has lost all its data under it', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  const quiet = await openIncident(house)
  await moreReminders(id)
  await server.forget()
  await server.start()
  const t = Date.now()
  await moreReminders(id)
  console.log('more after loss', Date.now() - t)
  await expectNoGap(id)
  await until(
    () => notesOf(house, quiet.workflowId),
    (notes) => notes.length === 2,
  )
  expect(await notesOf(house, quiet.workflowId)).toEqual([
    'woken by the report of the incident',
    'woken by the sweep, because Temporal had lost it',
  ])
  expect((await notesOf(house, workflowId)).filter((note) => note.includes('the sweep'))).toHaveLength(1)
})
