import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { occurrences } from '../../src/domain/series/recurrence/occurrences.ts'
import { problemsOf } from '../../src/domain/series/recurrence/problems.ts'
import type { Rule } from '../../src/domain/series/recurrence/rule.ts'

const MINUTE = 60_000
const daily: Rule = {
  recurrence_type: 'daily',
  timezone: 'Europe/Berlin',
  start_time: '02:30',
  start_date: '2026-03-28',
  duration_minutes: 60,
}
const rrule = (recurrence_rule: string): Partial<Rule> => ({ recurrence_type: 'rrule', recurrence_rule })
const until = new Date('2036-01-01')
const starts = (change: Partial<Rule>, limit = 4) =>
  occurrences({ ...daily, ...change }, { until, limit }).map(({ starts_at }) => starts_at.toISOString().slice(0, 16))

test.each<[string, Partial<Rule>, string[]]>([
  ['daily over a gap', {}, ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30']],
  [
    'weekly over the end of summer',
    { recurrence_type: 'weekly', start_date: '2026-10-18' },
    ['2026-10-18T00:30', '2026-10-25T00:30', '2026-11-01T01:30', '2026-11-08T01:30'],
  ],
  [
    'every two weeks counts weeks from the Monday of the first',
    // Saturday the 28th: the Monday of its week is past, the next of a counted week is 6 April.
    { recurrence_type: 'weekly', interval_weeks: 2, weekday: 1 },
    ['2026-04-06T00:30', '2026-04-20T00:30', '2026-05-04T00:30', '2026-05-18T00:30'],
  ],
  [
    'day 31 skips short months',
    { recurrence_type: 'monthly_by_date', start_date: '2026-03-31', timezone: 'UTC' },
    ['2026-03-31T02:30', '2026-05-31T02:30', '2026-07-31T02:30', '2026-08-31T02:30'],
  ],
  [
    'the last Sunday',
    { recurrence_type: 'monthly_by_weekday', ordinal_week: -1, weekday: 7, timezone: 'UTC' },
    ['2026-03-29T02:30', '2026-04-26T02:30', '2026-05-31T02:30', '2026-06-28T02:30'],
  ],
  ['a start that the rule does not name is none', rrule('FREQ=WEEKLY;BYDAY=WE;COUNT=1'), ['2026-04-01T00:30']],
  ['COUNT', rrule('FREQ=DAILY;COUNT=2'), ['2026-03-28T01:30', '2026-03-29T01:30']],
  ['the smaller of two counts', { ...rrule('FREQ=DAILY;COUNT=2'), max_occurrences: 1 }, ['2026-03-28T01:30']],
  ['a last day is inclusive', { ends_on: '2026-03-29' }, ['2026-03-28T01:30', '2026-03-29T01:30']],
  ['UNTIL as a date too', rrule('FREQ=DAILY;UNTIL=20260329'), ['2026-03-28T01:30', '2026-03-29T01:30']],
  ['UNTIL on the wall', rrule('FREQ=DAILY;UNTIL=20260329T022959'), ['2026-03-28T01:30']],
  ['UNTIL in UTC', rrule('FREQ=DAILY;UNTIL=20260329T012959Z'), ['2026-03-28T01:30']],
  ['UNTIL in UTC is inclusive', rrule('FREQ=DAILY;UNTIL=20260329T013000Z'), ['2026-03-28T01:30', '2026-03-29T01:30']],
  [
    'a lost day is one with the next, and counts once',
    { timezone: 'Pacific/Apia', start_date: '2011-12-29', start_time: '09:00', max_occurrences: 3 },
    ['2011-12-29T19:00', '2011-12-30T19:00', '2011-12-31T19:00'],
  ],
  [
    'also for COUNT',
    {
      ...rrule('FREQ=DAILY;COUNT=3'),
      ...{ timezone: 'Pacific/Apia', start_date: '2011-12-29', start_time: '09:00' },
    },
    ['2011-12-29T19:00', '2011-12-30T19:00', '2011-12-31T19:00'],
  ],
])('%s', (_what, change, expected) => {
  expect(starts(change)).toEqual(expected)
})

/** Programs get each of these wrong. */
test.each<[string, Partial<Rule>, string[]]>([
  [
    'days of the year that are weekdays',
    { ...rrule('FREQ=YEARLY;BYYEARDAY=65;BYDAY=TU'), timezone: 'UTC' },
    ['2029-03-06T02:30', '2035-03-06T02:30'],
  ],
  [
    'days of the month that are a numbered weekday of that month',
    { ...rrule('FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=7,8;BYDAY=1TH'), timezone: 'UTC', start_date: '2026-01-01' },
    ['2027-01-07T02:30'],
  ],
  [
    'the last week of a year, asked for in the next',
    {
      ...rrule('FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU'),
      timezone: 'Etc/GMT+5',
      start_date: '2026-01-01',
      start_time: '03:00',
    },
    ['2027-01-03T08:00', '2033-01-02T08:00'],
  ],
])('%s', (_what, change, expected) => {
  expect(starts(change)).toEqual(expected)
})

test('a window lasts its duration across clock changes', () => {
  const rule = { ...daily, start_time: '01:30', duration_minutes: 120 }
  for (const { starts_at, ends_at } of occurrences(rule, { until, limit: 400 }))
    expect(ends_at.getTime() - starts_at.getTime()).toBe(120 * MINUTE)
})

const rules: fc.Arbitrary<Rule> = fc
  .record({
    kind: fc.constantFrom<Partial<Rule>>(
      {},
      { recurrence_type: 'weekly' },
      { recurrence_type: 'weekly', interval_weeks: 3, weekday: 2 },
      { recurrence_type: 'monthly_by_date' },
      { recurrence_type: 'monthly_by_weekday', ordinal_week: 4, weekday: 6 },
      rrule('FREQ=DAILY;INTERVAL=2;BYHOUR=1,2,3;BYMINUTE=0,30'),
      rrule('FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1'),
      rrule('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
      rrule('FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO,SU'),
      rrule('FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU'),
    ),
    timezone: fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'UTC'),
    day: fc.integer({ min: 0, max: 9000 }),
    start_time: fc.constantFrom('00:00', '01:45', '02:30', '23:59'),
  })
  .map(({ kind, day, ...zone }) => ({
    ...daily,
    ...zone,
    start_date: new Date(Date.UTC(2008, 0) + day * 86_400_000).toISOString().slice(0, 10),
    ...kind,
    duration_minutes: 1,
  }))

test('a part of a series is the same as that part of the whole', () => {
  fc.assert(
    fc.property(rules, fc.nat(60), fc.integer({ min: 1, max: 9 }), (rule, skipped, limit) => {
      const end = new Date(Date.parse(rule.start_date) + 1200 * 86_400_000)
      const whole = occurrences(rule, { until: end, limit: 100_000 })
      const part = whole.slice(skipped, skipped + limit)
      expect(whole.every(({ starts_at }, at) => at === 0 || starts_at > whole[at - 1]!.starts_at)).toBe(true)
      if (part[0]) expect(occurrences(rule, { from: part[0].starts_at, until: end, limit })).toEqual(part)
      // The end is not part of the window.
      if (part[0])
        expect(occurrences(rule, { until: part[0].starts_at, limit: 100_000 })).toEqual(whole.slice(0, skipped))
    }),
    { numRuns: 60 },
  )
})

const eightADay = 'BYHOUR=0,3,6,9,12,15,18,21'
const allDays = 'BYDAY=MO,TU,WE,TH,FR,SA,SU'

/** Each of these took seconds when an expansion began with the start, or listed what BYSETPOS chooses from. */
test.each([
  [`FREQ=DAILY;${eightADay}`, 8],
  [`FREQ=DAILY;${eightADay};BYSETPOS=8`, 1],
  [`FREQ=WEEKLY;${allDays};${eightADay};BYSETPOS=56`, 1],
  [`FREQ=MONTHLY;${allDays};${eightADay};BYSETPOS=-1`, 1],
  [`FREQ=YEARLY;${allDays};${eightADay};BYSETPOS=1,-1`, 1],
])('the cost of a part of %s goes by the part, however far it is from the start', (recurrence_rule, aDay) => {
  for (const start_date of ['2000-01-01', '2026-03-01', '2095-01-01']) {
    const effort = { days: 0, walls: 0 }
    const rule = { ...daily, ...rrule(recurrence_rule), start_date, start_time: '00:00' }
    occurrences(rule, { from: new Date('2150-01-01'), until: new Date('2150-03-01'), limit: 1000, effort })
    // Two months, and at either end a period and the two days that a clock change may move a time by.
    expect(effort.days).toBeLessThanOrEqual(60 + 2 * 366)
    expect(effort.walls).toBeLessThanOrEqual((60 + 2 * 2) * aDay)
  }
})

test('a rule that never occurs costs the days of the calendar once', () => {
  const effort = { days: 0, walls: 0 }
  expect(occurrences({ ...daily, ...rrule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30') }, { limit: 1, effort })).toEqual([])
  expect(effort).toEqual({ days: expect.any(Number), walls: 0 })
  expect(effort.days).toBeLessThan(174 * 366)
})

test.each<[string, Partial<Rule>]>([
  ['daily', {}],
  ['eight a day', { start_date: '2019-06-01', ...rrule(`FREQ=DAILY;${eightADay}`) }],
  ['weekly from 2000', { start_date: '2000-01-01', recurrence_type: 'weekly' }],
  ['monthly from the last start there is', { start_date: '2099-12-31', recurrence_type: 'monthly_by_date' }],
  ['an UNTIL that means for ever', rrule('FREQ=DAILY;UNTIL=99991231T235959Z')],
])('a series without an end goes on up to the end of 2199: %s', (_what, change) => {
  const rule = { ...daily, ...change }
  expect(problemsOf(rule)).toEqual([])
  for (const year of [2100, 2150, 2199]) {
    const [first] = occurrences(rule, { from: new Date(`${year}-01-01`), limit: 1 })
    expect(first!.starts_at.getUTCFullYear()).toBe(year)
  }
  expect(occurrences(rule, { from: new Date('2200-01-01'), limit: 1 })).toEqual([])
})

test('a rule that problems were found in is not expanded', () => {
  const rule = { ...daily, ...rrule('FREQ=HOURLY') }
  expect(problemsOf(rule)).toHaveLength(1)
  expect(() => occurrences(rule, { until, limit: 1 })).toThrow('FREQ=HOURLY')
})
