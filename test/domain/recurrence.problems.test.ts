import { expect, test } from '@jest/globals'
import { problemsOf } from '../../src/domain/series/recurrence/problems.ts'
import type { Rule } from '../../src/domain/series/recurrence/rule.ts'

const daily: Rule = {
  recurrence_type: 'daily',
  timezone: 'Europe/Berlin',
  start_time: '02:30',
  start_date: '2026-03-01',
  duration_minutes: 60,
}
const end = (date: string) => new Date(`${date}T12:00:00Z`)
const rrule = (recurrence_rule: string): Partial<Rule> => ({ recurrence_type: 'rrule', recurrence_rule })

test.each<[string, Partial<Rule>]>([
  ['daily', {}],
  ['nulls are absent', { weekday: null, ordinal_week: null, ends_on: null, max_occurrences: null }],
  ['weekly, the weekday of the start', { recurrence_type: 'weekly' }],
  ['monthly on the 31st', { recurrence_type: 'monthly_by_date', start_date: '2026-01-31' }],
  ['the last Sunday', { recurrence_type: 'monthly_by_weekday', ordinal_week: -1, weekday: 7 }],
  ['one day only', { ends_on: '2026-03-01' }],
  ['a window that ends as the next begins', { timezone: 'UTC', duration_minutes: 1440 }],
  ['23 hours, which every day has', { start_time: '12:00', duration_minutes: 1380 }],
  ['as many as fit before 2200', { ...rrule('FREQ=YEARLY;COUNT=174') }],
  ['a count that an earlier end makes void', { ...rrule('FREQ=YEARLY;COUNT=200'), ends_on: '2030-12-31' }],
  [
    '24 hours a day that end before the clocks change',
    { duration_minutes: 1440, recurrence_end_time: end('2026-03-27') },
  ],
  ['29 February on a Monday', rrule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO')],
])('accepted: %s', (_what, change) => {
  expect(problemsOf({ ...daily, ...change })).toEqual([])
})

test.each<[keyof Rule, string, Partial<Rule>]>([
  ['timezone', 'tz database', { timezone: 'Europe/Atlantis' }],
  ['timezone', 'tz database', { timezone: '+02:00' }],
  ['timezone', 'tz database', { timezone: '' }],
  ['start_time', 'HH:mm', { start_time: '24:00' }],
  ['start_time', 'HH:mm', { start_time: '9:00' }],
  ['start_date', 'YYYY-MM-DD', { start_date: '2026-02-30' }],
  ['start_date', '2000-01-01', { start_date: '1970-01-01' }],
  ['start_date', '2099-12-31', { start_date: '2199-12-31' }],
  ['ends_on', 'YYYY-MM-DD', { ends_on: 'soon' }],
  ['ends_on', '2199-12-31', { ends_on: '2200-01-01' }],
  ['ends_on', 'before start_date', { ends_on: '2026-02-28' }],
  ['ends_on', 'never occurs between', { recurrence_type: 'weekly', weekday: 3, ends_on: '2026-03-02' }],
  ['duration_minutes', '1 to', { duration_minutes: 0 }],
  ['duration_minutes', '1 to', { duration_minutes: 1.5 }],
  ['max_occurrences', '1 to', { max_occurrences: 0 }],
  ['weekday', '1 (Monday)', { recurrence_type: 'weekly', weekday: 8 }],
  ['interval_weeks', '1 to', { recurrence_type: 'weekly', interval_weeks: 0 }],
  ['weekday', 'required', { recurrence_type: 'monthly_by_weekday', ordinal_week: 1 }],
  ['ordinal_week', 'required', { recurrence_type: 'monthly_by_weekday', weekday: 1 }],
  ['ordinal_week', '-1 for the last', { recurrence_type: 'monthly_by_weekday', weekday: 1, ordinal_week: 5 }],
  ['weekday', 'is not allowed with', { weekday: 1 }],
  ['recurrence_rule', 'is not allowed with', { recurrence_rule: 'FREQ=DAILY' }],
  ['interval_weeks', 'is not allowed with', { ...rrule('FREQ=DAILY'), interval_weeks: 2 }],
  ['recurrence_rule', 'required', { recurrence_type: 'rrule' }],
  ['recurrence_rule', 'is empty', rrule('')],
  ['recurrence_rule', 'no FREQ', rrule('BYDAY=MO')],
  [
    'recurrence_rule',
    'has UNTIL=20260228, which lies before the start, 2026-03-01 02:30 in Europe/Berlin',
    rrule('FREQ=DAILY;UNTIL=20260228'),
  ],
  ['recurrence_rule', 'UNTIL=20260301T012959Z, which lies before', rrule('FREQ=DAILY;UNTIL=20260301T012959Z')],
  [
    'recurrence_rule',
    'never occurs between 2026-03-01 and UNTIL=20260303',
    rrule('FREQ=WEEKLY;BYDAY=WE;UNTIL=20260303'),
  ],
  ['recurrence_end_time', 'before the start, 2026-03-01 02:30', { recurrence_end_time: end('2026-02-01') }],
  [
    'recurrence_end_time',
    'before the first occurrence',
    { ...rrule('FREQ=WEEKLY;BYDAY=WE'), recurrence_end_time: end('2026-03-03') },
  ],
  ['max_occurrences', 'only 174 lie before the year 2200', { ...rrule('FREQ=YEARLY'), max_occurrences: 175 }],
  ['recurrence_rule', 'only 174 lie before the year 2200', rrule('FREQ=YEARLY;COUNT=175')],
  [
    'recurrence_rule',
    'write FREQ=MONTHLY;BYMONTHDAY=1,15 or FREQ=YEARLY;BYMONTH=…',
    rrule('FREQ=YEARLY;BYMONTHDAY=15,1'),
  ],
  ['recurrence_rule', 'BYMONTHDAY without BYMONTH', rrule('FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR')],
])('refused for %s: %s', (path, message, change) => {
  expect(problemsOf({ ...daily, ...change })).toEqual([{ path, message: expect.stringContaining(message) }])
})

test.each<[string, number, Partial<Rule>]>([
  ['a day with a clock change has 23 hours', 1380, { duration_minutes: 1440 }],
  [
    'the shortest month',
    28 * 1440,
    { recurrence_type: 'monthly_by_date', timezone: 'UTC', duration_minutes: 29 * 1440 },
  ],
  ['the shortest year', 365 * 1440, { ...rrule('FREQ=YEARLY'), timezone: 'UTC', duration_minutes: 366 * 1440 }],
  ['two in a day', 180, { ...rrule('FREQ=DAILY;BYHOUR=1,5'), duration_minutes: 200 }],
  [
    'Friday the 13th of February and of March',
    28 * 1440,
    { ...rrule('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'), timezone: 'UTC', duration_minutes: 29 * 1440 },
  ],
])('a window may not last into the next: %s', (_what, most, change) => {
  const message = expect.stringContaining(`is longer than the ${most} minutes from `)
  expect(problemsOf({ ...daily, ...change })).toEqual([{ path: 'duration_minutes', message }])
})

test.each([
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1;BYDAY=MO',
  'FREQ=YEARLY;BYYEARDAY=200;BYMONTH=1',
  'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=YEARLY;BYYEARDAY=1,2,3;BYSETPOS=366;BYHOUR=0,3,6,9',
  'FREQ=WEEKLY;INTERVAL=52;BYMONTH=8;BYDAY=MO,TU;BYHOUR=1,2,3;BYSETPOS=6',
])('what never occurs is refused: %s', (recurrence_rule) => {
  expect(problemsOf({ ...daily, ...rrule(recurrence_rule) })).toEqual([
    { path: 'recurrence_rule', message: expect.stringContaining('never occurs') },
  ])
})
