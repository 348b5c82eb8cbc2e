import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSweep } from '../../src/orchestration/overdue-sweep.ts'
import { creationNote, dueTimes, gapsOf, notesOf, openIncident, processOf } from '../support/incidents.ts'
import { openWorks, quietRuntime, settled, type Works } from '../support/processes.ts'
import { type OwnTemporal, ownTemporal } from '../support/temporal.ts'
import { passed, until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 500

let server: OwnTemporal
let works: Works
let sweep: ReturnType<typeof startSweep>
let house: Works['house']
beforeAll(async () => {
  server = await ownTemporal()
  works = await openWorks({ address: server.address, minuteMs: MINUTE })
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
  )
}

test('a worker that starts while Temporal is away begins when Temporal answers', async () => {
  await server.stop()
  const { workflowId } = await openIncident(house)
  const before = works.connections()
  let away = true
  const started = works.startWorker().then(() => away)
  await until(works.connections, (count) => count >= before + 2)
  away = false
  await server.start()
  expect(await started).toBe(false)
  await settled(house)
  expect(await processOf(house, workflowId)).toMatchObject({ state: 'waiting' })
})

test('a worker continues after an outage of Temporal', async () => {
  const { id } = await openIncident(house, { reminder_interval_minutes: 1 })
  await moreReminders(id)
  await server.stop()
  const last = (await dueTimes(house, id)).at(-1)!
  await passed(new Date(last.getTime() + 6 * MINUTE))
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(house, id, MINUTE)).toEqual([])
})

test('a worker continues after Temporal has lost all its data', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 1 })
  const quiet = await openIncident(house, { reminder_interval_minutes: 1000 })
  await moreReminders(id)
  await server.forget()
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(house, id, MINUTE)).toEqual([])
  await until(
    () => notesOf(house, quiet.workflowId),
    (notes) => notes.length === 2,
  )
  expect(await notesOf(house, quiet.workflowId)).toEqual([
    creationNote(quiet.id, (await processOf(house, quiet.workflowId)).until),
    'woken by the sweep: the Temporal database is new and has no workflow of the process',
  ])
  expect((await notesOf(house, workflowId)).filter((note) => note.includes('the sweep'))).toHaveLength(1)
})
