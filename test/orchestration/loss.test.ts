import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { startSweep } from '../../src/orchestration/sweep.ts'
import { dueTimes, gapsOf, notesOf, openIncident, processOf } from '../support/incidents.ts'
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
  await started
  await settled(house)
  expect(await processOf(house, workflowId)).toMatchObject({ state: 'waiting' })
})

test('a worker goes on when Temporal was away for a while', async () => {
  const { id } = await openIncident(house, { reminder_interval_minutes: 1 })
  await moreReminders(id)
  await server.stop()
  await sleep(3000)
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(house, id, 500)).toEqual([])
})

test('a worker goes on when Temporal has lost all its data under it', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  const quiet = await openIncident(house)
  await moreReminders(id)
  await server.forget()
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(house, id, 500)).toEqual([])
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
