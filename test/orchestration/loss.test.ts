import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSweep } from '../../src/orchestration/overdue-sweep.ts'
import { creationNote, dueTimes, gapsOf, notesOf, openIncident, processOf } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { type OwnTemporal, ownTemporal } from '../support/temporal.ts'
import { passed, until } from '../support/wait.ts'

quietRuntime()

const MINUTE = 500

let server: OwnTemporal
let processes: TestProcesses
let sweep: ReturnType<typeof startSweep>
let service: TestProcesses['service']
beforeAll(async () => {
  server = await ownTemporal()
  processes = await openTestProcesses({ address: server.address, minuteMs: MINUTE })
  service = processes.service
  const { system, logger, clock } = service.services
  sweep = startSweep({ system, temporal: processes.temporal, logger, clock, everyMs: 1000 })
})
afterAll(async () => {
  await sweep?.close()
  await processes?.close()
  await server?.close()
})

const moreReminders = async (id: number) => {
  const { length } = await dueTimes(service, id)
  await until(
    () => dueTimes(service, id),
    (times) => times.length >= length + 3,
  )
}

test('a worker that starts while Temporal is away begins when Temporal answers', async () => {
  await server.stop()
  const { workflowId } = await openIncident(service)
  const before = processes.connections()
  let away = true
  const started = processes.startWorker().then(() => away)
  await until(processes.connections, (count) => count >= before + 2)
  away = false
  await server.start()
  expect(await started).toBe(false)
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting' })
})

test('a worker continues after an outage of Temporal', async () => {
  const { id } = await openIncident(service, { reminder_interval_minutes: 1 })
  await moreReminders(id)
  await server.stop()
  const last = (await dueTimes(service, id)).at(-1)!
  await passed(new Date(last.getTime() + 6 * MINUTE))
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(service, id, MINUTE)).toEqual([])
})

test('a worker continues after Temporal has lost all its data', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
  const quiet = await openIncident(service, { reminder_interval_minutes: 1000 })
  await moreReminders(id)
  await server.forget()
  await server.start()
  await moreReminders(id)
  expect(await gapsOf(service, id, MINUTE)).toEqual([])
  await until(
    () => notesOf(service, quiet.workflowId),
    (notes) => notes.length === 2,
  )
  expect(await notesOf(service, quiet.workflowId)).toEqual([
    creationNote(quiet.id, (await processOf(service, quiet.workflowId)).until),
    'woken by the sweep: the Temporal database is new and has no workflow of the process',
  ])
  expect((await notesOf(service, workflowId)).filter((note) => note.includes('the sweep'))).toHaveLength(1)
})
