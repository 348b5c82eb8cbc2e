import { expect, test } from '@jest/globals'
import { creationNote, startWords } from '../../src/domain/series/creation-notes.ts'

const berlin = { timezone: 'Europe/Berlin', start_time: '02:30', recurrence_rule: null }

const plan = (...starts: string[]) =>
  starts.map((start, index) => ({
    number: index + 1,
    starts_at: new Date(start),
    ends_at: new Date(Date.parse(start) + 3_600_000),
  }))
const windows = (count: number) => Array.from({ length: count }, (_one, index) => ({ id: 31 + index }))

test('a note about one window names the occurrence, the maintenance, the local time and the UTC time', () => {
  expect(creationNote(berlin, plan('2026-11-24T01:30:00Z'), windows(1))).toBe(
    'created 1 window: occurrence 1, maintenance 31, at 2026-11-24 02:30 (01:30 UTC) in Europe/Berlin',
  )
})

test('a note about a weekly series across the end of summer time shows the occurrences around the clock change', () => {
  const weekly = plan('2026-10-13T00:30:00Z', '2026-10-20T00:30:00Z', '2026-10-27T01:30:00Z', '2026-11-03T01:30:00Z')
  expect(creationNote(berlin, weekly, windows(4))).toBe(
    'created 4 windows: occurrences 1 to 4, maintenances 31 to 34, ' +
      'from 2026-10-13 02:30 (00:30 UTC) to 2026-11-03 02:30 (01:30 UTC) in Europe/Berlin; ' +
      'clock change: occurrence 2 starts at 2026-10-20 02:30 (00:30 UTC), occurrence 3 at 2026-10-27 02:30 (01:30 UTC)',
  )
})

test('a note explains a start at another local time on the day on which the clocks skip the start time', () => {
  const sundays = plan('2027-03-21T01:30:00Z', '2027-03-28T01:30:00Z', '2027-04-04T00:30:00Z')
  expect(creationNote(berlin, sundays, windows(3))).toBe(
    'created 3 windows: occurrences 1 to 3, maintenances 31 to 33, ' +
      'from 2027-03-21 02:30 (01:30 UTC) to 2027-04-04 02:30 (00:30 UTC) in Europe/Berlin; ' +
      'clock change: occurrence 1 starts at 2027-03-21 02:30 (01:30 UTC), occurrence 2 at 2027-03-28 03:30 (01:30 UTC), ' +
      'because Europe/Berlin has no 02:30 on that day',
  )
})

test('a note shows at most two clock changes and counts the others', () => {
  const years = plan(...['2026-03-01', '2026-06-01', '2026-12-01', '2027-06-01'].map((day) => `${day}T12:00:00Z`))
  const noon = { ...berlin, start_time: '13:00', recurrence_rule: 'FREQ=MONTHLY;BYHOUR=13,14' }
  expect(creationNote(noon, years, windows(4))).toMatch(/(; clock change: [^;]*){2}; further clock changes: 1$/)
})

test('a start in a zone without clock changes has the same local time and UTC time', () => {
  const start = startWords(new Date('2026-11-24T02:30:00Z'), { ...berlin, timezone: 'UTC' })
  expect(start).toBe('2026-11-24 02:30 (02:30 UTC) in UTC')
})
