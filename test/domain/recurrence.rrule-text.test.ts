import { expect, test } from '@jest/globals'
import { readRule } from '../../src/domain/series/recurrence/rrule-text.ts'

test.each([
  ['FREQ=DAILY', { freq: 'DAILY', interval: 1, wkst: 'MO' }],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', { interval: 2, byDay: ['TU', 'SU'], wkst: 'SU' }],
  ['rrule:freq=monthly;byday=+2mo,-1fr,03WE', { freq: 'MONTHLY', byDay: ['2MO', '-1FR', '3WE'] }],
  [' FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0 ', { byHour: [9], byMinute: [0] }],
  ['FREQ=YEARLY;BYMONTHDAY=-1,15,15', { byMonthDay: [-1, 15] }],
])('%s', (text, pattern) => {
  expect(readRule(text)).toMatchObject({ pattern })
})

test.each([
  ['FREQ=DAILY;COUNT=3', { count: 3 }],
  ['FREQ=DAILY;UNTIL=20261231', { untilWall: Date.UTC(2026, 11, 31, 23, 59) }],
  ['FREQ=DAILY;UNTIL=20261231T093000', { untilWall: Date.UTC(2026, 11, 31, 9, 30) }],
  ['FREQ=DAILY;UNTIL=20261231T093015Z', { untilInstant: Date.UTC(2026, 11, 31, 9, 30, 15) }],
])('the end of %s', (text, end) => {
  expect(readRule(text)).toMatchObject(end)
})

test.each([
  ['', 'NAME=value'],
  ['every day', 'NAME=value'],
  ['FREQ=DAILY;', 'ends with ";"'],
  ['FREQ=DAILY;;COUNT=2', 'NAME=value: ""'],
  ['FREQ=WEEKLY;BYDAY=MO, TU', 'has a space in "BYDAY=MO, TU"'],
  ['FREQ=DAILY; COUNT=2', 'has a space in " COUNT=2"'],
  ['BYDAY=MO', 'no FREQ'],
  ['FREQ=FORTNIGHTLY', 'unknown FREQ'],
  ['FREQ=HOURLY', 'BYHOUR gives several'],
  ['FREQ=SECONDLY', 'the shortest frequency is DAILY'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ twice'],
  ['FREQ=DAILY;BYEASTER=0', 'unknown part BYEASTER'],
  ['RSCALE=CHINESE;FREQ=YEARLY', 'unknown part RSCALE'],
  ['FREQ=DAILY;INTERVAL=0', '1 to 1000'],
  ['FREQ=DAILY;INTERVAL=1,2', 'one number'],
  ['FREQ=DAILY;COUNT=0', '1 to 20000'],
  ['FREQ=DAILY;COUNT=99999999999', '1 to 20000'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20261231', 'a rule has only one of them'],
  ['FREQ=DAILY;UNTIL=20260230', 'not a date'],
  ['FREQ=DAILY;UNTIL=2026-02-20', 'not a date'],
  ['FREQ=DAILY;UNTIL=20260220T250000Z', 'not a date'],
  ['FREQ=DAILY;BYMONTH=13', '1 to 12'],
  ['FREQ=DAILY;BYMONTH=-1', '1 to 12'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', '-31 to -1'],
  ['FREQ=DAILY;BYHOUR=24', '0 to 23'],
  ['FREQ=DAILY;BYHOUR=1.5', '0 to 23'],
  ['FREQ=DAILY;BYSECOND=0,30', 'on the minute'],
  ['FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=0,20,40', '9 times a day'],
  ['FREQ=MONTHLY;BYDAY=MONDAY', 'such as MO'],
  ['FREQ=MONTHLY;BYDAY=0MO', 'such as MO'],
  ['FREQ=MONTHLY;BYDAY=6MO', 'is limited to 5'],
  ['FREQ=YEARLY;BYDAY=53MO', 'is limited to 52'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=6MO', 'is limited to 5'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'requires FREQ=MONTHLY'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'is not allowed with FREQ=WEEKLY'],
  ['FREQ=MONTHLY;BYWEEKNO=20;BYDAY=MO', 'requires FREQ=YEARLY'],
  ['FREQ=MONTHLY;BYYEARDAY=20', 'requires FREQ=YEARLY'],
  ['FREQ=YEARLY;BYWEEKNO=20', 'without BYDAY'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', 'is not allowed with BYWEEKNO'],
  ['FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20;BYDAY=MO', 'INTERVAL with BYWEEKNO'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYSETPOS=1', 'BYSETPOS with BYWEEKNO'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'another BY part'],
  ['FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3', 'at most 2 positions'],
  ['FREQ=YEARLY;BYYEARDAY=1;BYDAY=MO;BYSETPOS=1', 'several parts'],
  ['DTSTART:20260101T090000\nRRULE:FREQ=DAILY', 'DTSTART: start_date and start_time'],
  ['DTSTART;TZID=Europe/Berlin:20260101T090000\r\nRRULE:FREQ=DAILY', 'DTSTART: start_date'],
  ['RRULE:FREQ=DAILY\nEXDATE:20260101', 'EXDATE: skip'],
  ['RRULE:FREQ=DAILY\nRDATE:20260101', 'RDATE: create'],
  ['RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'NAME=value'],
  [`FREQ=DAILY;BYMONTH=${'1,'.repeat(300)}1`, 'longer than 500'],
])('refused: %s', (text, reason) => {
  expect(readRule(text)).toEqual(expect.stringContaining(reason))
})
