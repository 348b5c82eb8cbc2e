import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  creationNote,
  dueTimes,
  notesOf,
  openIncident,
  postUpdate,
  processOf,
  remindersOf,
  resolve,
} from '../support/incidents.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(() => processes?.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const after = (from: Date, ...lengths: number[]) => lengths.map((ms) => new Date(from.getTime() + ms))
const hours = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * HOUR)
const describe = (workflowId: string) => processes.temporal.client.workflow.getHandle(workflowId).describe()

test('hourly reminders come for a week, each at its moment, across several runs', async () => {
  const reported = service.now
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const { runId } = await describe(workflowId)
  await processes.pass('7 days')
  const reminders = await remindersOf(service, id)
  expect(reminders.map((reminder) => reminder.due_at)).toEqual(after(reported, ...hours(7 * 24)))
  expect(reminders.filter((reminder) => reminder.missed > 1)).toEqual([])
  const now = await describe(workflowId)
  expect(now.runId).not.toBe(runId)
  expect(now.historyLength).toBeLessThan(24 * 7 + 20)
  await resolve(service, id)
})

test('an update restarts the interval of the reminders', async () => {
  const reported = service.now
  const { id } = await openIncident(service, { reminder_interval_minutes: 60 })
  const updated = await processes.pass('90 minutes')
  await postUpdate(service, id)
  await processes.pass('150 minutes')
  expect(await dueTimes(service, id)).toEqual([...after(reported, HOUR), ...after(updated, HOUR, 2 * HOUR)])
  await resolve(service, id)
})

test('the interval of reminders can be set, changed and cleared', async () => {
  const { id, workflowId } = await openIncident(service)
  const set = await processes.pass('3 hours')
  expect(await dueTimes(service, id)).toEqual([])
  await postUpdate(service, id, { reminder_interval_minutes: 60 })
  const changed = await processes.pass('61 minutes')
  await postUpdate(service, id, { reminder_interval_minutes: 15 })
  await processes.pass('31 minutes')
  const expected = [...after(set, HOUR), ...after(changed, 15 * MINUTE, 30 * MINUTE)]
  expect(await dueTimes(service, id)).toEqual(expected)
  await postUpdate(service, id, { reminder_interval_minutes: null })
  await processes.pass('3 hours')
  expect(await dueTimes(service, id)).toEqual(expected)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting', until: null })
  await resolve(service, id)
})

test('an incident without an interval waits without a workflow', async () => {
  const { id, workflowId } = await openIncident(service)
  await processes.pass('3 days')
  expect(await describe(workflowId).catch(() => 'no workflow')).toBe('no workflow')
  expect(await notesOf(service, workflowId)).toEqual([creationNote(id)])
  await resolve(service, id)
})

test('a process without a due moment ends its workflow, and the next wake-up starts another', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const { runId } = await describe(workflowId)
  await postUpdate(service, id, { reminder_interval_minutes: null })
  await processes.pass('61 minutes')
  const ended = await until(
    () => describe(workflowId),
    ({ status }) => status.name !== 'RUNNING',
  )
  expect([ended.status.name, ended.runId]).toEqual(['COMPLETED', runId])
  expect(await dueTimes(service, id)).toEqual([])
  const set = service.now
  await postUpdate(service, id, { reminder_interval_minutes: 60 })
  await processes.pass('61 minutes')
  expect(await dueTimes(service, id)).toEqual(after(set, HOUR))
  expect((await describe(workflowId)).runId).not.toBe(runId)
  await resolve(service, id)
})

test('resolving ends the process and its reminders', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await processes.pass('61 minutes')
  await resolve(service, id)
  await processes.pass('1 day')
  expect(await dueTimes(service, id)).toHaveLength(1)
  expect((await describe(workflowId)).status.name).toBe('COMPLETED')
  expect(await processOf(service, workflowId)).toMatchObject({
    state: 'done',
    waiting_for: 'nothing: the incident is resolved',
    until: null,
  })
})

test('a wake-up of a resolved incident changes nothing', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  await resolve(service, id)
  await settled(service)
  await processes.pass('61 minutes')
  const ended = await until(
    () => describe(workflowId),
    ({ status }) => status.name === 'COMPLETED',
  )
  processes.relay.wakeProcesses([{ kind: 'incident', id, pageId: service.page.id }])
  await until(
    () => describe(workflowId),
    ({ runId, status }) => runId !== ended.runId && status.name === 'COMPLETED',
  )
  await processes.pass('1 day')
  expect(await dueTimes(service, id)).toEqual([])
  expect(await notesOf(service, workflowId)).toHaveLength(2)
})
