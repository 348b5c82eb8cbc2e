import { describe, expect, test } from '@jest/globals'
import {
  dueWhileAvailable,
  lastAvailability,
  nextPulseRead,
} from '../../src/domain/beats/heartbeats/call-availability.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const seconds = (moment: Date) => (moment.getTime() - at(0).getTime()) / 1000
const pulse = ([since, seen]: [number, number]) => ({ able_since: at(since), seen_at: at(seen) })

describe('the last availability', () => {
  test.each<[string, [number, number][], [number, number] | null]>([
    ['is unknown without a pulse', [], null],
    ['is that of the only process', [[10, 60]], [10, 60]],
    [
      'begins after a gap between two processes',
      [
        [50, 60],
        [10, 45],
      ],
      [50, 60],
    ],
    [
      'spans processes that overlap',
      [
        [50, 60],
        [30, 51],
        [5, 30],
      ],
      [5, 60],
    ],
    [
      'spans a process that lives within another one',
      [
        [10, 60],
        [20, 30],
        [5, 12],
      ],
      [5, 60],
    ],
    [
      'is that of the newest process when an older one was interrupted after its last pulse',
      [
        [50, 60],
        [55, 52],
      ],
      [50, 60],
    ],
  ])('%s', (_, pulses, expected) => {
    const able = lastAvailability(pulses.map(pulse))
    expect(able && [seconds(able.since), seconds(able.until)]).toEqual(expected)
  })
})

const DAY = 86_400
describe('the due moment', () => {
  test.each<[string, object, number, number, number]>([
    ['stays when calls could be taken for a whole period', { period_seconds: 30, grace_seconds: 5 }, 100, 65, 100],
    ['counts from the end of a gap in its period', { period_seconds: 30, grace_seconds: 5 }, 100, 66, 101],
    ['counts from the end of a gap that outlasts it', { period_seconds: 30, grace_seconds: 5 }, 100, 500, 535],
    ['stays when a gap ended an hour before the expected call', { period_seconds: DAY }, DAY, DAY - 3600, DAY],
    ['counts from a gap in the hour before the expected call', { period_seconds: DAY }, DAY, DAY - 600, 2 * DAY - 600],
    [
      'counts from a gap in a long grace',
      { period_seconds: 600, grace_seconds: 7200 },
      DAY,
      DAY - 7000,
      DAY - 7000 + 7800,
    ],
    [
      'stays when a gap lies more than a week back',
      { period_seconds: 90 * DAY, grace_seconds: 60 * DAY },
      150 * DAY,
      143 * DAY,
      150 * DAY,
    ],
    [
      'of a cron expression stays when a gap ended before it',
      { cron: '0 * * * *', grace_seconds: 60 },
      3660,
      3599,
      3660,
    ],
    ['of a cron expression moves when a gap covers it', { cron: '0 * * * *', grace_seconds: 60 }, 3660, 3601, 7260],
  ])('%s', (_, schedule, due, since, expected) => {
    const able = { since: at(since), until: at(10 ** 9) }
    expect(seconds(dueWhileAvailable(schedule, at(due), able))).toBe(expected)
  })
})

test.each([
  [null, 5],
  [99, 5],
  [80, 20],
  [-10_000, 60],
])('with the last pulse at %s the pulses are read again after %s s', (until, after) => {
  const able = until === null ? null : { since: at(0), until: at(until) }
  expect(seconds(nextPulseRead(at(100), able))).toBe(100 + after)
})
