import { describe, expect, test } from '@jest/globals'
import { dueReminder, nextReminder, resolvedAtProblem } from '../../src/domain/incidents/rules.ts'
import { isFuture } from '../../src/domain/kernel/lateness-rules.ts'

const MINUTE = 60_000
/** Minutes after ten. */
const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 10) + minutes * MINUTE)
const incident = (
  interval: number | null,
  from: number,
  until: number | null = null,
  resolved: number | null = null,
) => ({
  reminder_interval_minutes: interval,
  reminders_from: at(from),
  reminded_until: until === null ? null : at(until),
  resolved_at: resolved === null ? null : at(resolved),
})

describe('the next reminder', () => {
  test.each([
    ['comes an interval after the report', incident(10, 0), at(10)],
    ['comes an interval after the last one', incident(10, 0, 10), at(20)],
    ['counts from an update that came after the last one', incident(10, 13, 10), at(23)],
    ['counts from the last one, if the update came before it', incident(10, 9, 10), at(20)],
    ['counts a changed interval from its change', incident(3, 13, 10), at(16)],
    ['is none without an interval', incident(null, 0), undefined],
    ['is none once it is resolved', incident(10, 0, null, 5), undefined],
  ])('%s', (_title, given, expected) => {
    expect(nextReminder(given, MINUTE)).toEqual(expected)
  })

  test('keeps time with the minute of the tests', () => {
    expect(nextReminder(incident(10, 0), 100)).toEqual(new Date(at(0).getTime() + 1000))
  })
})

describe('the reminder that is due', () => {
  test.each([
    ['none before its moment', incident(10, 0), at(9.999), undefined],
    ['at its moment', incident(10, 0), at(10), { due: at(10), count: 1, until: at(10), late: false }],
    ['a moment later', incident(10, 0), at(10.08), { due: at(10), count: 1, until: at(10), late: false }],
    ['late', incident(10, 0), at(10.09), { due: at(10), count: 1, until: at(10), late: true }],
    ['the second', incident(10, 0, 10), at(20), { due: at(20), count: 1, until: at(20), late: false }],
    ['one for three that were missed', incident(10, 0), at(35), { due: at(10), count: 3, until: at(30), late: true }],
    ['exactly at the third', incident(10, 0), at(30), { due: at(10), count: 3, until: at(30), late: true }],
    ['just before the third', incident(10, 0), at(29.99), { due: at(10), count: 2, until: at(20), late: true }],
    ['none for one that is resolved', incident(10, 0, null, 1), at(60), undefined],
    ['none without an interval', incident(null, 0), at(60), undefined],
    ['a year of minutes', incident(1, 0), at(525_600), { due: at(1), count: 525_600, until: at(525_600), late: true }],
  ])('%s', (_title, given, now, expected) => {
    expect(dueReminder(given, now, MINUTE)).toEqual(expected)
  })

  test('leaves none behind: the next one lies in the future', () => {
    for (let now = 0; now < 200; now += 1.7) {
      const given = incident(7, 3)
      const due = dueReminder(given, at(now), MINUTE)
      const next = nextReminder(due ? { ...given, reminded_until: due.until } : given, MINUTE)!
      expect(next.getTime()).toBeGreaterThan(at(now).getTime())
      expect(next.getTime()).toBeLessThanOrEqual(Math.max(at(now).getTime(), at(3).getTime()) + 7 * MINUTE)
    }
  })
})

test.each([
  [0, -0.001, 30, /before the start/],
  [0, 0, 30, undefined],
  [0, 30, 30, undefined],
  [0, 35, 30, undefined],
  [0, 35.001, 30, /future/],
])('a resolution of an incident with start %d, at %d, requested at %d', (start, end, now, expected) => {
  const problem = resolvedAtProblem({ started_at: at(start), newest_entry_at: undefined }, at(end), at(now))
  if (expected) expect(problem).toMatch(expected)
  else expect(problem).toBeUndefined()
})

test.each([
  [20, 19.999, /before the newest entry of the timeline, whose time is 2\d{3}-\d\d-\d\dT\d\d:20:00.000Z/],
  [20, 20, undefined],
  [20, 25, undefined],
])('with an entry of %d, resolved at %d', (newest, end, expected) => {
  const problem = resolvedAtProblem({ started_at: at(0), newest_entry_at: at(newest) }, at(end), at(30))
  if (expected) expect(problem).toMatch(expected)
  else expect(problem).toBeUndefined()
})

test('five minutes ahead are a clock that is wrong, more is the future', () => {
  expect([isFuture(at(5), at(0)), isFuture(at(5.001), at(0)), isFuture(at(-1), at(0))]).toEqual([false, true, false])
})
