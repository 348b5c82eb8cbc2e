import { expect, test } from '@jest/globals'
import { dueReminders, type Leads, nextMove, nextReminder } from '../../src/domain/maintenances/due.ts'
import {
  rescheduleProblem,
  scheduleProblems,
  stageOf,
  statuses,
  verdictOn,
} from '../../src/domain/maintenances/rules.ts'

const MINUTE = 60_000
const at = (time: string) => new Date(`2026-11-21T${time}:00.000Z`)

test.each([
  ['scheduled', 'existing', 'allowed', 'allowed', 'allowed'],
  ['in_progress', 'refused', 'existing', 'allowed', 'allowed'],
  ['completed', 'refused', 'refused', 'existing', 'refused'],
  ['cancelled', 'refused', 'refused', 'refused', 'existing'],
])('from %s it may become scheduled: %s, in_progress: %s, completed: %s, cancelled: %s', (from, ...verdicts) => {
  expect(statuses.map((to) => verdictOn(from, to))).toEqual(verdicts)
})

const schedule = { scheduled_start_time: at('10:00'), scheduled_end_time: at('11:00'), auto_transition_enabled: true }

test.each([
  ['both times', {}, undefined],
  ['no end', { scheduled_end_time: null }, 'scheduled_end_time'],
  ['no start', { scheduled_start_time: null }, 'scheduled_start_time'],
  ['an end before the start', { scheduled_end_time: at('09:00') }, 'scheduled_end_time'],
  ['an end at the start', { scheduled_end_time: at('10:00') }, 'scheduled_end_time'],
  [
    'no times, by hand',
    { scheduled_start_time: null, scheduled_end_time: null, auto_transition_enabled: false },
    undefined,
  ],
])('a window with %s', (_what, fields, path) => {
  expect(scheduleProblems({ ...schedule, ...fields })[0]?.path).toBe(path)
})

test.each([
  ['scheduled', { start: at('12:00'), end: at('13:00') }, undefined],
  ['in_progress', { end: at('13:00') }, undefined],
  ['in_progress', { start: at('12:00') }, /only its scheduled end/],
  ['in_progress', { start: at('10:00') }, undefined],
  ['completed', { end: at('13:00') }, /can no longer be moved/],
  ['cancelled', { start: at('09:00') }, /can no longer be moved/],
  ['completed', { start: at('10:00'), end: at('11:00') }, undefined],
])('moving the window of one that is %s to %j', (status, said, refusal) => {
  const problem = rescheduleProblem({ ...schedule, status }, said)
  if (refusal === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(refusal)
})

test('stages go with statuses by their places', () => {
  const stages = ['a', 'b', 'x', 'c', 'd'].map((name, id) => ({ id, name, display_order: id, archived: name === 'x' }))
  expect(statuses.map((status) => stageOf(stages, status, stages[0])?.name)).toEqual(['a', 'b', 'c', 'd'])
})

const leads: Leads = { before_start: [60, 15], before_end: 10, overrun: 30, after_end: 45 }
const window = { ...schedule, status: 'scheduled', reminders_from: at('08:00') }

test.each([
  ['scheduled', true, { to: 'in_progress', at: at('10:00') }],
  ['in_progress', true, { to: 'completed', at: at('11:00') }],
  ['completed', true, undefined],
  ['scheduled', false, undefined],
])('the schedule moves one that is %s, with auto transition %s', (status, auto_transition_enabled, move) => {
  expect(nextMove({ ...window, status, auto_transition_enabled })).toEqual(move)
})

test.each([
  ['scheduled', '08:00', at('09:00')],
  ['scheduled', '09:00', at('09:45')],
  ['scheduled', '09:45', at('11:45')],
  ['in_progress', '10:00', at('10:50')],
  ['in_progress', '10:50', at('11:30')],
  ['in_progress', '11:30', at('11:45')],
  ['in_progress', '11:45', at('12:00')],
  ['in_progress', '12:00', at('12:30')],
  ['completed', '10:00', undefined],
])('the next reminder of one that is %s and settled until %s', (status, from, next) => {
  expect(nextReminder({ ...window, status, reminders_from: at(from) }, leads, MINUTE)).toEqual(next)
})

test('without lead times nothing is reminded of', () => {
  const none: Leads = { before_start: [], before_end: null, overrun: null, after_end: null }
  for (const status of statuses) expect(nextReminder({ ...window, status }, none, MINUTE)).toBeUndefined()
})

test.each([
  ['scheduled', '08:00', '08:59', []],
  ['scheduled', '08:00', '09:00', [['before_start', at('09:00'), 1, 60]]],
  ['scheduled', '08:00', '10:00', [['before_start', at('09:00'), 2, 60]]],
  ['in_progress', '10:00', '10:55', [['before_end', at('10:50'), 1, 10]]],
  [
    ...['in_progress', '10:00', '13:10'],
    [
      ['before_end', at('10:50'), 1, 10],
      ['overrun', at('11:30'), 4, 30],
      ['after_end', at('11:45'), 1, 45],
    ],
  ],
  [
    'in_progress',
    '11:40',
    '12:29',
    [
      ['after_end', at('11:45'), 1, 45],
      ['overrun', at('12:00'), 1, 60],
    ],
  ],
  ['completed', '08:00', '13:10', []],
] as [string, string, string, unknown[]][])('of one that is %s, settled until %s, at %s', (status, from, now, due) => {
  const reminders = dueReminders({ ...window, status, reminders_from: at(from) }, leads, MINUTE, at(now))
  expect(reminders.map(({ kind, due, count, minutes }) => [kind, due, count, minutes])).toEqual(due)
})
