import { describe, expect, test } from '@jest/globals'
import { renderCalendar } from '../../src/calendar/calendar.ts'
import { eventsOf } from '../../src/domain/calendar/events.ts'
import { occurrences } from '../../src/domain/series/recurrence/occurrences.ts'
import type { Rule } from '../../src/domain/series/recurrence/rule.ts'
import { readRecorded } from '../oracle/recorded.ts'
import { readByIcalJs, readByNodeIcal } from './readers.ts'

/** Every which recorded series is compared here. */
const EVERY = 10
const YEAR = 365.25 * 86_400_000
/** The time zone data of the library misses short changes of these zones. */
const MISREAD = ['Africa/Cairo', 'Africa/Casablanca']

type Fields = Partial<Parameters<typeof eventsOf>[0]['series'][number]>

/** The calendar of a new series with this rule. */
function eventsFor(rule: Rule, fields: Fields = {}) {
  const moment = new Date('2026-01-01T00:00:00Z')
  const series = {
    ...{ id: 1, page_id: 1, title: 'Series', description: '', impact: null, affected_items_freetext: null, version: 1 },
    ...{ lifecycle_stage_id: null, chat_channel_id: null, external_id: null, create_hash: null },
    ...{ auto_transition_enabled: true, auto_transition_start_message: null, auto_transition_complete_message: null },
    ...{ recurrence_rule: null, interval_weeks: null, weekday: null, ordinal_week: null, ends_on: null },
    ...{ recurrence_end_time: null, max_occurrences: null, offset_ms: 0, generate_months: 6, status: 'active' },
    ...rule,
    ...{ created_at: moment, updated_at: moment, settled_until: new Date(0), next_index: 1, taken: 0 },
    ...{ items: ['Search'], occurrences: [], ...fields },
  } as Parameters<typeof eventsOf>[0]['series'][number]
  return eventsOf({ maintenances: [], series: [series], since: 0 })
}

/** The starts that a library reads from the calendar; undefined if the series has no recurring event. */
function readStarts(rule: Rule, until: Date, read: typeof readByIcalJs): number[] | undefined {
  const { series } = eventsFor(rule)
  if (series.length === 0) return undefined
  const view = { name: 'Page', language: 'en', maintenances: [], series }
  const text = renderCalendar(view, { url: 'https://status.example.com', host: 'status.example.com' })
  const range = { from: '1970-01-01T00:00:00Z', to: until.toISOString() }
  return read(text, range).map(({ starts_at }) => Date.parse(starts_at))
}

const startsOf = (rule: Rule, until: Date) =>
  occurrences(rule, { until, limit: 1_000_000 }).map(({ starts_at }) => starts_at.getTime())

const daily = { recurrence_type: 'daily', start_date: '2026-03-01', start_time: '01:45', duration_minutes: 60 } as const
const ruled = (recurrence_rule: string, rest: Partial<Rule> = {}): Rule => ({
  ...daily,
  ...{ recurrence_type: 'rrule', timezone: 'Europe/Berlin', recurrence_rule, ...rest },
})

describe('the recurring event of a series', () => {
  test('has the occurrences of the series, read by another library', () => {
    const chosen = readRecorded().cases.filter(
      ({ rule }, index) => index % EVERY === 0 && !MISREAD.includes(rule.timezone),
    )
    const wrong: string[] = []
    let recurring = 0
    for (const { rule, until } of chosen) {
      const start = Date.parse(`${rule.start_date}T00:00:00Z`)
      const to = new Date(Math.min(until.getTime(), start + 2 * YEAR))
      const found = readStarts(rule, to, readByNodeIcal)
      if (!found) continue
      recurring += 1
      if (found.join() !== startsOf(rule, to).join()) wrong.push(JSON.stringify(rule))
    }
    expect(wrong).toEqual([])
    expect(recurring).toBeGreaterThan(chosen.length * 0.8)
  })

  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata']
  test.each(zones)('in %s is read alike by a library that uses the time zone of the file', (timezone) => {
    const rules: Rule[] = [
      // Outside the hours that clock changes repeat: this library takes the second instant, the RFC the first.
      { ...daily, timezone, start_time: '04:15' },
      { ...daily, timezone, recurrence_type: 'weekly', interval_weeks: 2, weekday: 4 },
      { ...daily, timezone, recurrence_type: 'monthly_by_date', start_date: '2026-03-31' },
      { ...daily, timezone, recurrence_type: 'monthly_by_weekday', ordinal_week: -1, weekday: 6 },
      ruled('FREQ=WEEKLY;BYDAY=TU,TH', { timezone, start_time: '23:30' }),
      ruled('FREQ=MONTHLY;BYMONTHDAY=-1', { timezone }),
      ruled('FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', { timezone }),
    ]
    const until = new Date('2029-03-01T00:00:00Z')
    for (const rule of rules) expect(readStarts(rule, until, readByIcalJs)).toEqual(startsOf(rule, until))
  })

  test.each<[string, Rule]>([
    ['a time that clock changes skip', { ...daily, timezone: 'Europe/Berlin', start_time: '02:30' }],
    ['times that coincide after a clock change', ruled('FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0')],
    [
      'a start in an hour that a clock change repeats',
      ruled('FREQ=MONTHLY;BYDAY=5SU', { start_date: '2027-10-01', start_time: '02:15' }),
    ],
    [
      'positions among times that clock changes skip',
      ruled('FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=1', { start_time: '02:30' }),
    ],
    ['weeks of a year', ruled('FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO')],
    ['days that programs read in two ways', ruled('FREQ=YEARLY;BYMONTHDAY=1,15')],
  ])('does not exist for %s', (_name, rule) => {
    expect(eventsFor(rule).series).toEqual([])
  })

  test('does not exist for times with seconds', () => {
    expect(eventsFor({ ...daily, timezone: 'UTC' }, { offset_ms: 15_000 }).series).toEqual([])
  })

  test('begins with the first occurrence, even if the start does not fit the pattern', () => {
    const [event] = eventsFor(ruled('FREQ=WEEKLY;BYDAY=TU')).series
    expect(event).toMatchObject({ starts_at: '2026-03-03T00:45:00.000Z', rule: 'FREQ=WEEKLY;BYDAY=TU' })
  })

  test.each<[string, Partial<Rule>]>([
    ['ends_on', { ends_on: '2026-03-05' }],
    ['max_occurrences', { max_occurrences: 5 }],
    ['recurrence_end_time', { recurrence_end_time: new Date('2026-03-05T01:45:00Z') }],
    ['COUNT', { recurrence_type: 'rrule', recurrence_rule: 'FREQ=DAILY;COUNT=5' }],
    ['UNTIL', { recurrence_type: 'rrule', recurrence_rule: 'FREQ=DAILY;UNTIL=20260305' }],
  ])('ends with the last occurrence by %s', (_name, end) => {
    const [event] = eventsFor({ ...daily, timezone: 'UTC', ...end }, end as Fields).series
    expect(event).toMatchObject({ rule: 'FREQ=DAILY', until: '2026-03-05T01:45:00.000Z' })
  })
})
