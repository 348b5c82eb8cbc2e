import { expect, test } from '@jest/globals'
import ICAL from 'ical.js'
import { documentOf } from '../../src/calendar/text-rules.ts'
import { timeZoneLines } from '../../src/calendar/time-zone.ts'
import { zoneOf } from '../../src/domain/series/recurrence/zone.ts'

const begin = Date.UTC(2024, 2, 10)
const end = Date.UTC(2028, 5, 1)
const DAY = 86_400_000

const read = (zone: string) =>
  new ICAL.Timezone(new ICAL.Component(ICAL.parse(documentOf(timeZoneLines(zone, begin, end)))))

const zones = Intl.supportedValuesOf('timeZone')

test('another library reads the offsets of every zone as the runtime has them', () => {
  const wrong = zones.flatMap((zone) => {
    const timezone = read(zone)
    const { offsetAt } = zoneOf(zone)
    const differing: string[] = []
    for (let instant = begin; instant < end; instant += 6 * DAY) {
      // The library takes the second of two instants with the same wall time.
      if (offsetAt(instant - DAY / 4) !== offsetAt(instant + DAY / 4)) continue
      const utc = ICAL.Time.fromJSDate(new Date(instant), true)
      const offset = timezone.utcOffset(utc.convertToZone(timezone))
      if (offset * 1000 !== offsetAt(instant)) differing.push(`${zone} ${new Date(instant).toISOString()}: ${offset}`)
    }
    return differing.slice(0, 1)
  })
  expect(wrong).toEqual([])
})

test('a zone whose clock changes follow a rule has the rule', () => {
  expect(timeZoneLines('Europe/Berlin', begin, end)).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    ...['BEGIN:STANDARD', 'DTSTART:20230101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:20230326T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT'],
    ...['BEGIN:STANDARD', 'DTSTART:20231029T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
    'END:VTIMEZONE',
  ])
})

test('other clock changes are listed', () => {
  const lines = timeZoneLines('America/Santiago', begin, end)
  expect(lines.filter((line) => line.startsWith('RDATE:')).length).toBeGreaterThan(30)
  expect(lines.filter((line) => line.startsWith('RRULE:'))).toEqual([])
})

test('a zone without clock changes has one offset', () => {
  expect(timeZoneLines('Asia/Kolkata', begin, end)).toEqual([
    ...['BEGIN:VTIMEZONE', 'TZID:Asia/Kolkata', 'BEGIN:STANDARD', 'DTSTART:20230101T000000'],
    ...['TZOFFSETFROM:+0530', 'TZOFFSETTO:+0530', 'END:STANDARD', 'END:VTIMEZONE'],
  ])
})
