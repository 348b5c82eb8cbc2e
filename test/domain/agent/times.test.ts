import { expect, test } from '@jest/globals'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { compact, complete } from './compact.ts'
import { situation } from './situation.ts'

async function slotsOf(query: string, change: object = {}) {
  const understood = await understand(query, { ...situation, ...change })
  if (understood.kind === 'none') throw new Error(`not understood: ${query}`)
  const { items, endpoint, beat, incident, maintenance, ...times } = compact(understood.slots)
  return { ...times, ...(understood.unclear.length > 0 ? { unclear: understood.unclear } : {}) }
}

/** Now is Wednesday, 2027-03-10 15:30 in Berlin; the clocks change on 2027-03-28. */
const windows: [when: string, expected: object][] = [
  ['tomorrow 22:00', { start: '2027-03-11T21:00Z' }],
  ['tomorrow at 10pm', { start: '2027-03-11T21:00Z' }],
  ['tomorrow at 10 pm for 90 minutes', { start: '2027-03-11T21:00Z', minutes: 90 }],
  ['at 9 p.m. tomorrow for an hour', { start: '2027-03-11T20:00Z', minutes: 60 }],
  ['tomorrow 22:00-23:30', { start: '2027-03-11T21:00Z', end: '2027-03-11T22:30Z' }],
  ['tomorrow between 22:00 and 23:00', { start: '2027-03-11T21:00Z', end: '2027-03-11T22:00Z' }],
  ['from 22:00 to 02:00', { start: '2027-03-10T21:00Z', end: '2027-03-11T01:00Z' }],
  ['tonight at 11', { start: '2027-03-10T22:00Z' }],
  ['tonight from 10 to 11:30', { start: '2027-03-10T21:00Z', end: '2027-03-10T22:30Z' }],
  ['at 15:00', { start: '2027-03-11T14:00Z' }],
  ['at 16:00', { start: '2027-03-10T15:00Z' }],
  ['today at 18:00', { start: '2027-03-10T17:00Z' }],
  ['on friday at 9pm', { start: '2027-03-12T20:00Z' }],
  ['Friday at 21h', { start: '2027-03-12T20:00Z' }],
  ['next monday 6:00', { start: '2027-03-15T05:00Z' }],
  ['on monday next week at 6:00', { start: '2027-03-15T05:00Z' }],
  ['wednesday at 22:00', { start: '2027-03-10T21:00Z' }],
  ['wednesday at 10:00', { start: '2027-03-17T09:00Z' }],
  ['saturday noon', { start: '2027-03-13T11:00Z' }],
  ['in 30 minutes', { start: '2027-03-10T15:00Z' }],
  ['in half an hour for two and a half hours', { start: '2027-03-10T15:00Z', minutes: 150 }],
  ['in an hour', { start: '2027-03-10T15:30Z' }],
  ['in 2 days at 08:00', { start: '2027-03-12T07:00Z' }],
  ['in a week at 08:00', { start: '2027-03-17T07:00Z' }],
  ['the day after tomorrow at 08:00', { start: '2027-03-12T07:00Z' }],
  ['march 14 10:00-12:00', { start: '2027-03-14T09:00Z', end: '2027-03-14T11:00Z' }],
  ['on the 14th of March at half past nine in the evening', { start: '2027-03-14T20:30Z' }],
  ['on 14.03.2027 at 10:00', { start: '2027-03-14T09:00Z' }],
  ['on 3/14/2027 at 10:00', { start: '2027-03-14T09:00Z' }],
  ['on March 1 at 10:00', { start: '2028-03-01T09:00Z' }],
  ['on March 14th, 2028 at 10:00', { start: '2028-03-14T09:00Z' }],
  ['on the 20th at 10:00', { start: '2027-03-20T09:00Z' }],
  ['on the 5th at 10:00', { start: '2027-04-05T08:00Z' }],
  ['2027-04-01 06:00', { start: '2027-04-01T04:00Z' }],
  ['at 2027-04-01T06:00:00Z', { start: '2027-04-01T06:00Z' }],
  ['at 2027-04-01T06:00+05:00', { start: '2027-04-01T01:00Z' }],
  ['tomorrow 22:00 UTC', { start: '2027-03-11T22:00Z' }],
  ['tomorrow 9am EST', { start: '2027-03-11T14:00Z' }],
  ['tomorrow 10:00-12:00 UTC', { start: '2027-03-11T10:00Z', end: '2027-03-11T12:00Z' }],
  ['tomorrow 22:00 UTC+2', { start: '2027-03-11T20:00Z' }],
  ['tomorrow 22:00 GMT-03:30', { start: '2027-03-12T01:30Z' }],
  ['from friday 22:00 until saturday 04:00', { start: '2027-03-12T21:00Z', end: '2027-03-13T03:00Z' }],
  ['tomorrow evening at 8', { start: '2027-03-11T19:00Z' }],
  ['tomorrow at 8 in the morning', { start: '2027-03-11T07:00Z' }],
  ['on march 28 at 04:00', { start: '2027-03-28T02:00Z' }],
  ['at midnight', { start: '2027-03-10T23:00Z' }],
  ['now for 2h', { start: '2027-03-10T14:30Z', minutes: 120 }],
  ['tomorrow 22:00 for 1h30', { start: '2027-03-11T21:00Z', minutes: 90 }],
  ['tomorrow 22:00 for 1 hour and 15 minutes', { start: '2027-03-11T21:00Z', minutes: 75 }],
  ['tomorrow 22:00 for an hour and a half', { start: '2027-03-11T21:00Z', minutes: 90 }],
  ['tomorrow 22:00 for a quarter of an hour', { start: '2027-03-11T21:00Z', minutes: 15 }],
  ['from 22:00 to 23:00 tomorrow', { start: '2027-03-11T21:00Z', end: '2027-03-11T22:00Z' }],
  ['from 22:00 until tomorrow 02:00', { start: '2027-03-10T21:00Z', end: '2027-03-11T01:00Z' }],
  ['from 10 to 11 tonight', { start: '2027-03-10T21:00Z', end: '2027-03-10T22:00Z' }],
  // Not exact, or impossible
  ['from 22:00 until 02:00 tomorrow', { unclear: ['from 22:00 until 02:00 tomorrow'] }],
  ['tomorrow', { unclear: ['tomorrow'] }],
  ['tonight', { unclear: ['tonight'] }],
  ['next monday morning', { unclear: ['next monday morning'] }],
  ['next friday at 22:00', { unclear: ['next friday at 22:00'] }],
  ['tomorrow around 22:00', { unclear: ['tomorrow around 22:00'] }],
  ['tomorrow at 25:00', { unclear: ['tomorrow at 25:00'] }],
  ['on february 30 at 10:00', { unclear: ['on february 30 at 10:00'] }],
  ['on 04/05/2027 at 10:00', { unclear: ['on 04/05/2027 at 10:00'] }],
  ['on march 28 at 02:30', { unclear: ['on march 28 at 02:30'] }],
  ['friday at midnight', { unclear: ['friday at midnight'] }],
  ['tomorrow 22:00 for a while', { start: '2027-03-11T21:00Z', unclear: ['for a while'] }],
  ['tomorrow 22:00 for a couple of hours', { start: '2027-03-11T21:00Z', unclear: ['for a couple of hours'] }],
  ['tomorrow 9am CST', { unclear: ['tomorrow 9am CST'] }],
  ['tomorrow 9am ET', { unclear: ['tomorrow 9am ET'] }],
  ['tomorrow at 22:00 NZT', { unclear: ['tomorrow at 22:00 NZT'] }],
  ['tomorrow at 22:00 Tokyo time', { unclear: ['tomorrow at 22:00 Tokyo time'] }],
  ['tomorrow 22:00 UTC+20', { unclear: ['tomorrow 22:00 UTC+20'] }],
]

test.each(windows)('schedule maintenance %s', async (when, expected) => {
  expect(await slotsOf(`schedule maintenance ${when}`)).toEqual(complete(expected))
  expect(await slotsOf(`schedule maintenance on Search ${when}`)).toEqual(complete(expected))
})

const days = (from: string, to: string) => ({ from, to })
const periods: [when: string, expected: object][] = [
  ['since yesterday', { from: '2027-03-08T23:00Z' }],
  ['since 10:00', { from: '2027-03-10T09:00Z' }],
  ['since 18:00', { from: '2027-03-09T17:00Z' }],
  ['since monday', { from: '2027-03-07T23:00Z' }],
  ['since march 1', { from: '2027-02-28T23:00Z' }],
  ['since november 1', { from: '2026-10-31T23:00Z' }],
  ['since last week', { from: '2027-02-28T23:00Z' }],
  ['yesterday', days('2027-03-08T23:00Z', '2027-03-09T23:00Z')],
  ['today', days('2027-03-09T23:00Z', '2027-03-10T23:00Z')],
  ['on monday', days('2027-03-07T23:00Z', '2027-03-08T23:00Z')],
  ['this week', days('2027-03-07T23:00Z', '2027-03-14T23:00Z')],
  ['last week', days('2027-02-28T23:00Z', '2027-03-07T23:00Z')],
  ['last month', days('2027-01-31T23:00Z', '2027-02-28T23:00Z')],
  ['this month', days('2027-02-28T23:00Z', '2027-03-31T22:00Z')],
  ['in january', days('2026-12-31T23:00Z', '2027-01-31T23:00Z')],
  ['in december 2026', days('2026-11-30T23:00Z', '2026-12-31T23:00Z')],
  ['in the last 24 hours', { from: '2027-03-09T14:30Z' }],
  ['in the past 7 days', { from: '2027-03-03T14:30Z' }],
  ['over the last two weeks', { from: '2027-02-24T14:30Z' }],
  ['in the last hour', { from: '2027-03-10T13:30Z' }],
  ['between 9:00 and 11:30', days('2027-03-10T08:00Z', '2027-03-10T10:30Z')],
  ['between march 1 and march 5', days('2027-02-28T23:00Z', '2027-03-05T23:00Z')],
  ['from yesterday 18:00 until today 09:00', days('2027-03-09T17:00Z', '2027-03-10T08:00Z')],
  ['between 10:00 and 12:00 yesterday', days('2027-03-09T09:00Z', '2027-03-09T11:00Z')],
  ['from 10:00 to 12:00 on monday', days('2027-03-08T09:00Z', '2027-03-08T11:00Z')],
  ['three days ago', days('2027-03-06T23:00Z', '2027-03-07T23:00Z')],
]

test.each(periods)('what changed %s', async (when, expected) => {
  expect(await slotsOf(`what changed ${when}?`)).toEqual(complete(expected))
  expect(await slotsOf(`what changed on Checkout ${when}?`)).toEqual({ item: 3, ...complete(expected) })
})

test('times are read in the zone of the page', async () => {
  expect(await slotsOf('schedule maintenance tomorrow 22:00', { zone: 'America/New_York' })).toEqual({
    start: '2027-03-12T03:00:00.000Z',
  })
  expect(await slotsOf('schedule maintenance tomorrow 22:00', { zone: 'Asia/Kolkata' })).toEqual({
    start: '2027-03-11T16:30:00.000Z',
  })
})
