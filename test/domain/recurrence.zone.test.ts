import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { instantOf, localOf } from '../../src/domain/series/recurrence/zone.ts'

test.each([
  ['an ordinary time', 'Europe/Berlin', '2026-01-10 09:00', '2026-01-10T08:00Z'],
  ['the minute before a gap', 'Europe/Berlin', '2026-03-29 01:59', '2026-03-29T00:59Z'],
  ['the first skipped minute', 'Europe/Berlin', '2026-03-29 02:00', '2026-03-29T01:00Z'],
  ['a skipped time moves by the gap', 'Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30Z'],
  ['the minute after a gap', 'Europe/Berlin', '2026-03-29 03:00', '2026-03-29T01:00Z'],
  ['the minute before times come twice', 'Europe/Berlin', '2026-10-25 01:59', '2026-10-24T23:59Z'],
  ['of two, the first', 'Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30Z'],
  ['once they are over', 'Europe/Berlin', '2026-10-25 03:00', '2026-10-25T02:00Z'],
  ['half an hour, skipped', 'Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45Z'],
  ['half an hour, twice', 'Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45Z'],
  ['two hours, skipped', 'Antarctica/Troll', '2026-03-29 01:30', '2026-03-29T01:30Z'],
  ['midnight skipped', 'America/Sao_Paulo', '2018-11-04 00:00', '2018-11-04T03:00Z'],
  ['midnight twice', 'America/Havana', '2026-11-01 00:30', '2026-11-01T04:30Z'],
  ['back for Ramadan, twice', 'Africa/Casablanca', '2026-02-15 02:30', '2026-02-15T01:30Z'],
  ['and forward after it', 'Africa/Casablanca', '2026-03-22 02:30', '2026-03-22T02:30Z'],
  ['a day that was skipped', 'Pacific/Apia', '2011-12-30 09:00', '2011-12-30T19:00Z'],
  ['is the next one', 'Pacific/Apia', '2011-12-31 09:00', '2011-12-30T19:00Z'],
  ['the last day before it', 'Pacific/Apia', '2011-12-29 23:59', '2011-12-30T09:59Z'],
  ['an alias', 'Asia/Calcutta', '2026-02-28 00:00', '2026-02-27T18:30Z'],
  ['a name in other letters', 'europe/berlin', '2026-03-29 02:30', '2026-03-29T01:30Z'],
  ['UTC', 'UTC', '2026-02-28 00:00', '2026-02-28T00:00Z'],
])('%s: %s %s', (_what, zone, local, expected) => {
  const [date, time] = local.split(' ') as [string, string]
  expect(instantOf(date, time, zone)).toEqual(new Date(expected))
})

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const moments = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000))
/** The slow way, and another one than the zone table's. */
const wallBy = (at: Date, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at)

test('a moment has the wall time that Intl gives it', () => {
  fc.assert(
    fc.property(zones, moments, (zone, at) => {
      const { date, time } = localOf(at, zone)
      expect(`${date} ${time}`).toBe(wallBy(at, zone))
    }),
    { numRuns: 400 },
  )
})

test('a wall time is the first moment that shows it, or one moved by the gap', () => {
  fc.assert(
    fc.property(zones, moments, (zone, wall) => {
      const [date, time] = wall.toISOString().slice(0, 16).split('T') as [string, string]
      const at = instantOf(date, time, zone)
      const shown = wallBy(at, zone)
      const earlier = [15, 30, 60, 120].map((minutes) => wallBy(new Date(at.getTime() - minutes * 60_000), zone))
      if (shown === `${date} ${time}`) expect(earlier).not.toContain(shown)
      // In a gap: later than asked, and nowhere around is it shown.
      else expect(shown > `${date} ${time}` && !earlier.includes(`${date} ${time}`)).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('after 2128 a zone repeats itself as Intl has it', () => {
  const far = fc
    .date({ min: new Date('2100-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000))
  fc.assert(
    fc.property(zones, far, (zone, at) => {
      const [date, time] = wallBy(at, zone).split(' ') as [string, string]
      const first = instantOf(date, time, zone)
      // The same moment, or the earlier of two that the clock shows alike.
      expect(wallBy(first, zone)).toBe(`${date} ${time}`)
      expect(at.getTime() - first.getTime()).toBeLessThanOrEqual(2 * 3_600_000)
    }),
    { numRuns: 400 },
  )
})

test('dates that no zone data covers are answered', () => {
  for (const time of [Date.UTC(9999, 0), -5e13])
    expect(localOf(new Date(time), 'Asia/Tokyo').time).toMatch(/^\d\d:\d\d$/)
})
