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
import { openSkippingWorks, quietRuntime, type SkippingWorks, settled } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let works: SkippingWorks
let house: SkippingWorks['house']
beforeAll(async () => {
  works = await openSkippingWorks()
  house = works.house
})
afterAll(() => works?.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const after = (from: Date, ...lengths: number[]) => lengths.map((ms) => new Date(from.getTime() + ms))
const hours = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * HOUR)
const describe = (workflowId: string) => works.temporal.client.workflow.getHandle(workflowId).describe()

test('hourly reminders come for a week, each at its moment, across several runs', async () => {
  const reported = house.now
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await settled(house)
  const { runId } = await describe(workflowId)
  await works.pass('7 days')
  const reminders = await remindersOf(house, id)
  expect(reminders.map((reminder) => reminder.due_at)).toEqual(after(reported, ...hours(7 * 24)))
  expect(reminders.filter((reminder) => reminder.missed > 1)).toEqual([])
  const now = await describe(workflowId)
  expect(now.runId).not.toBe(runId)
  expect(now.historyLength).toBeLessThan(24 * 7 + 20)
  await resolve(house, id)
})

test('an update restarts the interval of the reminders', async () => {
  const reported = house.now
  const { id } = await openIncident(house, { reminder_interval_minutes: 60 })
  const updated = await works.pass('90 minutes')
  await postUpdate(house, id)
  await works.pass('150 minutes')
  expect(await dueTimes(house, id)).toEqual([...after(reported, HOUR), ...after(updated, HOUR, 2 * HOUR)])
  await resolve(house, id)
})

test('the interval of reminders can be set, changed and cleared', async () => {
  const { id, workflowId } = await openIncident(house)
  const set = await works.pass('3 hours')
  expect(await dueTimes(house, id)).toEqual([])
  await postUpdate(house, id, { reminder_interval_minutes: 60 })
  const changed = await works.pass('61 minutes')
  await postUpdate(house, id, { reminder_interval_minutes: 15 })
  await works.pass('31 minutes')
  const expected = [...after(set, HOUR), ...after(changed, 15 * MINUTE, 30 * MINUTE)]
  expect(await dueTimes(house, id)).toEqual(expected)
  await postUpdate(house, id, { reminder_interval_minutes: null })
  await works.pass('3 hours')
  expect(await dueTimes(house, id)).toEqual(expected)
  expect(await processOf(house, workflowId)).toMatchObject({ state: 'waiting', until: null })
  await resolve(house, id)
})

test('an incident without an interval waits without a workflow', async () => {
  const { id, workflowId } = await openIncident(house)
  await works.pass('3 days')
  expect(await describe(workflowId).catch(() => 'no workflow')).toBe('no workflow')
  expect(await notesOf(house, workflowId)).toEqual([creationNote(id)])
  await resolve(house, id)
})

test('a process without a due moment ends its workflow, and the next wake-up starts another', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await settled(house)
  const { runId } = await describe(workflowId)
  await postUpdate(house, id, { reminder_interval_minutes: null })
  await works.pass('61 minutes')
  const ended = await until(
    () => describe(workflowId),
    ({ status }) => status.name !== 'RUNNING',
  )
  expect([ended.status.name, ended.runId]).toEqual(['COMPLETED', runId])
  expect(await dueTimes(house, id)).toEqual([])
  const set = house.now
  await postUpdate(house, id, { reminder_interval_minutes: 60 })
  await works.pass('61 minutes')
  expect(await dueTimes(house, id)).toEqual(after(set, HOUR))
  expect((await describe(workflowId)).runId).not.toBe(runId)
  await resolve(house, id)
})

test('resolving ends the process and its reminders', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await works.pass('61 minutes')
  await resolve(house, id)
  await works.pass('1 day')
  expect(await dueTimes(house, id)).toHaveLength(1)
  expect((await describe(workflowId)).status.name).toBe('COMPLETED')
  expect(await processOf(house, workflowId)).toMatchObject({
    state: 'done',
    waiting_for: 'nothing: the incident is resolved',
    until: null,
  })
})

test('a wake-up of a resolved incident changes nothing', async () => {
  const { id, workflowId } = await openIncident(house, { reminder_interval_minutes: 60 })
  await resolve(house, id)
  await settled(house)
  const ended = await until(
    () => describe(workflowId),
    ({ status }) => status.name === 'COMPLETED',
  )
  works.relay.ring([{ kind: 'incident', id, pageId: house.page.id }])
  await until(
    () => describe(workflowId),
    ({ runId, status }) => runId !== ended.runId && status.name === 'COMPLETED',
  )
  await works.pass('1 day')
  expect(await dueTimes(house, id)).toEqual([])
  expect(await notesOf(house, workflowId)).toHaveLength(2)
})
