import { expect, test } from '@jest/globals'
import { heartbeatProblems, reminderProblems, windowProblems } from './outage-due.ts'
import { causeProblems, courseProblems, orderProblems, timeProblems } from './outage-times.ts'

const SECOND = 1000
const at = (seconds: number) => seconds * SECOND
const outage = { from: at(100), until: at(200) }

test('a moment that is not that of the commit is found', () => {
  const dated = (recorded: number, committed: number) => {
    const row = { table: 'status_event', id: 1, recorded: at(recorded), committed: at(committed) }
    return [...timeProblems([row], outage)]
  }
  expect(dated(99.9, 100)).toEqual([])
  expect(dated(200.1, 200.2)).toEqual([])
  expect(dated(201, 200.9)).toEqual([expect.stringContaining('before that')])
  expect(dated(90, 99)).toEqual([expect.stringContaining('long after')])
  expect(dated(199, 201)).toEqual([expect.stringContaining('away at first')])
})

const event = (id: number, seconds: number, previous_status: string, status: string) => ({
  ...{ id, item_id: 1, status, previous_status, at: at(seconds), committed: at(seconds) + 5 },
  ...{ cause_kind: 'maintenance', cause_id: 1 },
})
const begun = event(1, 10, 'operational', 'maintenance')
const ended = event(2, 20, 'maintenance', 'operational')

test('events of an item that have two orders or do not follow each other are found', () => {
  const count = (...events: (typeof begun)[]) => [...orderProblems(events)].length
  expect(count(begun, ended)).toBe(0)
  expect(count(begun, { ...ended, at: at(9) })).toBe(1)
  expect(count(begun, { ...ended, committed: at(9) })).toBe(1)
  expect(count(begun, { ...ended, previous_status: 'degraded' })).toBe(1)
  expect(count(begun, { ...ended, item_id: 2 })).toBe(1)
})

test('the judge finds status events that differ from the windows and incidents', () => {
  const items = { parent: 1, children: [2], both: [], ill: [] }
  const hold = { item_id: 2, status: 'maintenance', from: at(10), until: at(20) }
  const problems = (statuses: (typeof begun)[], holds = [hold]) => [
    ...courseProblems({ statuses: statuses.flatMap((one) => [one, { ...one, item_id: 2 }]), holds }, items, at(30)),
  ]
  expect(problems([begun, ended])).toEqual([])
  expect(problems([begun])).toHaveLength(2)
  expect(problems([])).toHaveLength(2)
  expect(problems([begun, { ...ended, at: at(15) }])).toHaveLength(2)
  expect(problems([begun, ended], [{ ...hold, status: 'degraded' }])).toHaveLength(2)
})

const entry = (status: string, previous_status: string, due: number, seconds: number) => ({
  ...{ id: due, maintenance_id: 1, status, previous_status, due: at(due), at: at(seconds), late: seconds > due },
})
const notification = (key: string, due: number, seconds: number, fields: object = {}) => ({
  ...{ key, kind: 'maintenance', subject_id: 1, due: at(due), at: at(seconds), late: seconds > due, missed: 0 },
  ...fields,
})

test('the judge finds a window without exactly one right notification of each kind in the right order', () => {
  const [started, completed] = [
    entry('in_progress', 'scheduled', 120, 203),
    entry('completed', 'in_progress', 150, 203),
  ]
  const events = [notification('maintenance.started', 120, 203), notification('maintenance.completed', 150, 203)]
  const windows = [{ id: 1, started: at(203), ended: at(203) }]
  const plans = [{ id: 1, start: at(120), end: at(150) }]
  const rows = { entries: [started, completed], windows, notifications: events }
  const count = (changed: Partial<typeof rows>) => [...windowProblems(plans, { ...rows, ...changed })].length
  expect(count({})).toBe(0)
  expect(count({ entries: [started] })).toBe(1)
  expect(count({ entries: [started, started, completed] })).toBe(1)
  expect(count({ entries: [{ ...started, due: at(203) }, completed] })).toBe(1)
  expect(count({ entries: [{ ...started, late: false }, completed] })).toBe(2)
  expect(count({ entries: [{ ...started, previous_status: 'in_progress' }, completed] })).toBe(1)
  expect(count({ windows: [{ ...windows[0]!, started: at(120) }] })).toBe(1)
  expect(count({ notifications: [events[0]!] })).toBe(1)
  expect(count({ notifications: [...events, events[0]!] })).toBe(1)
})

test('an event that is not of the moment of its window is found', () => {
  const entries = [entry('in_progress', 'scheduled', 10, 10), entry('completed', 'in_progress', 20, 20)]
  const count = (...statuses: (typeof begun)[]) => [...causeProblems({ statuses, entries })].length
  expect(count(begun, { ...ended, at: ended.at + 10 })).toBe(0)
  expect(count(begun, { ...ended, at: at(15) })).toBe(1)
  expect(count({ ...begun, cause_id: 2 }, ended)).toBe(1)
})

test('reminders of the outage that are not one, or not late, are found', () => {
  const reminder = (due: number, seconds: number, missed: number) =>
    notification('incident.reminder', due, seconds, { kind: 'incident', late: missed > 0, missed })
  const incidents = [{ id: 1, at: at(80) }]
  const reminded = { ids: [1], intervalMs: at(10), outage, horizon: at(225) }
  const count = (...reminders: ReturnType<typeof notification>[]) =>
    [...reminderProblems({ notifications: reminders, incidents, updates: [] }, reminded)].length
  const [first, gathered, next] = [reminder(90, 90.1, 0), reminder(100, 203, 11), reminder(210, 210.1, 0)]
  const last = reminder(220, 220.1, 0)
  expect(count(first, gathered, next, last)).toBe(0)
  expect(count(first, { ...gathered, late: false }, next, last)).toBeGreaterThan(0)
  expect(count(first, { ...gathered, missed: 10 }, reminder(200, 203, 1), next, last)).toBeGreaterThan(0)
  expect(count(first, { ...gathered, at: at(150) }, next, last)).toBeGreaterThan(0)
  expect(count(first, gathered, gathered, next, last)).toBeGreaterThan(0)
  expect(count(first, next, last)).toBeGreaterThan(0)
})

test('the judge finds a heartbeat that was missed while the API could not take its calls', () => {
  const stage = (name: string, seconds: number) => ({ beat_id: 1, stage: name, at: at(seconds) })
  const since = new Map([[1, at(250)]])
  const count = (stages: ReturnType<typeof stage>[], opened: number[]) => {
    const incidents = opened.map((seconds, index) => ({ id: index + 2, at: at(seconds) }))
    return [...heartbeatProblems({ stages, incidents }, { since, reported: new Set([1]) })].length
  }
  const [well, missed] = [stage('healthy', 90), stage('critical', 260)]
  expect(count([well, missed], [260])).toBe(0)
  expect(count([well, missed], [])).toBe(1)
  expect(count([well, stage('critical', 202), stage('healthy', 204), missed], [202, 260])).toBeGreaterThan(1)
  expect(count([well, stage('critical', 202)], [202])).toBe(2)
})
