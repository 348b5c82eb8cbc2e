import { expect, test } from '@jest/globals'
import { checkReminders, type IncidentFacts, type ReminderFacts } from './model.ts'

/** Reported at 0 with a reminder each 10; an update at 35 makes it 20; resolved at 100. */
const incident = (reminders: ReminderFacts[], updates = story): IncidentFacts => ({
  ...{ id: 1, reportedAt: 0, interval: 10 },
  updates,
  reminders,
})
const story = [
  { at: 35, interval: 20, resolves: false },
  { at: 100, interval: 20, resolves: true },
]
const reminder = (due: number, count = 1): ReminderFacts => ({ due, count, createdAt: due + (count - 1) * 20 + 1 })
const due = [10, 20, 30, 55, 75, 95].map((moment) => reminder(moment))
const problems = (facts: IncidentFacts, horizon = 1000) => checkReminders(facts, horizon).problems

test('every due moment once is right, alone or counted in a late one', () => {
  expect(checkReminders(incident(due), 1000)).toEqual({ problems: [], covered: 6, gathered: 0 })
  const late = [...due.slice(0, 3), reminder(55, 2), reminder(95)]
  expect(checkReminders(incident(late), 1000)).toEqual({ problems: [], covered: 6, gathered: 1 })
})

test('a missing reminder is found, in the middle, before an update and at the end', () => {
  for (const missing of [10, 30, 75, 95]) {
    const facts = incident(due.filter((one) => one.due !== missing))
    expect(problems(facts)).toEqual([expect.stringContaining(`no reminder for ${new Date(missing).toISOString()}`)])
  }
})

test('a doubled reminder is found', () => {
  expect(problems(incident([...due, reminder(55)]))).toHaveLength(1)
  expect(problems(incident([...due, reminder(95)]))).toHaveLength(1)
})

test('a late one that counts too few, or too many, is found', () => {
  expect(problems(incident([...due.slice(0, 3), reminder(55, 1), reminder(95)]))).toHaveLength(1)
  expect(problems(incident([...due.slice(0, 3), reminder(55, 2), reminder(75), reminder(95)]))).toHaveLength(1)
  expect(problems(incident([{ ...reminder(10, 3), createdAt: 25 }, ...due.slice(3)]))).toHaveLength(1)
})

test('a moment that was never due, or that comes after the end, is found', () => {
  expect(problems(incident([...due, reminder(60)]))).toHaveLength(1)
  expect(problems(incident([...due, reminder(115)]))).toHaveLength(1)
  expect(problems({ ...incident([reminder(10)], []), interval: undefined })).toHaveLength(1)
})

test('what is due after the horizon may be there or not', () => {
  const open = (...moments: number[]) =>
    incident(
      moments.map((moment) => reminder(moment)),
      [],
    )
  expect(problems(open(10, 20), 25)).toEqual([])
  expect(problems(open(10, 20, 30), 25)).toEqual([])
  expect(problems(open(10), 25)).toHaveLength(1)
})

test('a reminder that follows an update on the count from before it is found', () => {
  const updates = [{ at: 9, interval: 20, resolves: false }]
  expect(problems(incident([reminder(29)], updates), 40)).toEqual([])
  expect(problems(incident([reminder(10), reminder(29)], updates), 40)).toHaveLength(1)
  expect(problems(incident([reminder(10), reminder(30)], updates), 40)).not.toEqual([])
})
