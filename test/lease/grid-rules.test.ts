import { expect, test } from '@jest/globals'
import { dueOf, firstTurn, gridOf, patienceOf, slotAt } from '../../activities/lease/grid-rules.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const now = Date.parse('2026-03-02T09:00:00.000Z')

test('the slots of a beat are one interval apart, and slotAt finds the last due slot', () => {
  const grid = gridOf(17, 'eu-west', 30 * SECOND)
  for (const slot of [0, 1, 59_241_000]) {
    const due = dueOf(grid, slot)
    expect(dueOf(grid, slot + 1) - due).toBe(30 * SECOND)
    expect([due, due + 1, due + 29_999].map((moment) => slotAt(grid, moment))).toEqual([slot, slot, slot])
    expect(slotAt(grid, due - 1)).toBe(slot - 1)
  }
})

test('the slots of a beat depend only on the beat and the region, so that a restart does not move them', () => {
  expect(gridOf(17, 'eu-west', MINUTE)).toEqual({ interval: MINUTE, phase: 20500 })
  expect(gridOf(17, 'us-east', MINUTE).phase).not.toBe(gridOf(17, 'eu-west', MINUTE).phase)
})

test.each([
  [SECOND, 4],
  [10 * SECOND, 34],
  [30 * SECOND, 100],
  [24 * HOUR, 100],
])(
  'beats with an interval of %d ms are due at multiples of %d ms, so that some are due together',
  (interval, grain) => {
    const phases = Array.from({ length: 1000 }, (_, id) => gridOf(id, 'local', interval).phase)
    expect(phases.filter((phase) => phase % grain !== 0)).toEqual([])
    expect(phases.some((phase) => phase % (2 * grain) !== 0)).toBe(true)
  },
)

test('beats that follow each other are spread evenly over an interval', () => {
  for (const interval of [SECOND, 30 * SECOND, 24 * HOUR]) {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let id = 1; id <= 10_000; id += 1) {
      const { phase } = gridOf(id, 'local', interval)
      expect(phase).toBeLessThan(interval)
      tenths[Math.floor((phase / interval) * 10)]! += 1
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850)
    expect(Math.max(...tenths)).toBeLessThan(1150)
  }
})

test.each([
  [1, 500],
  [2, SECOND],
  [30, SECOND],
  [60, 2 * SECOND],
  [600, 20 * SECOND],
  [86_400, 30 * SECOND],
])('a slot of a beat of %d s may be taken %d ms late', (seconds, most) => {
  expect(patienceOf({ interval: seconds * SECOND, phase: 0 })).toBe(most)
})

/** A beat with an interval in seconds whose last slot was due some milliseconds ago. */
const late = (seconds: number, ms: number) => {
  const interval = seconds * SECOND
  return { interval, phase: (((now - ms) % interval) + interval) % interval }
}

test.each<[string, number, number, 'it' | 'nothing' | 'the one before', 'now' | 'next' | 'soon']>([
  ['a slot that is due this moment is taken', 30, 0, 'the one before', 'now'],
  ['a slot that a lease found taken is not taken again', 30, 200, 'it', 'next'],
  ['a slot that fell due between two leases is taken', 30, 800, 'the one before', 'now'],
  ['what was missed longer ago is left out', 30, 1001, 'the one before', 'next'],
  ['a beat of a day does not lose its slot to a restart', 86_400, 29_000, 'the one before', 'now'],
  ['nor does it make one up that is long gone', 86_400, 31_000, 'the one before', 'next'],
  ['a beat without a result does not wait a day', 86_400, 10 * HOUR, 'nothing', 'soon'],
  ['with a short interval it waits for its slot', 60, 31_000, 'nothing', 'next'],
])('%s', (_, seconds, ms, stored, begins) => {
  const grid = late(seconds, ms)
  const slot = slotAt(grid, now)
  const last = { it: dueOf(grid, slot), nothing: null, 'the one before': dueOf(grid, slot - 1) }[stored]
  const turn = firstTurn(grid, now, last)
  if (begins === 'next') expect(turn).toEqual({ slot: slot + 1, at: dueOf(grid, slot + 1) })
  else if (begins === 'now') expect(turn).toEqual({ slot, at: now })
  else {
    expect(turn.slot).toBe(slot)
    expect(turn.at - now).toBeLessThan(10 * SECOND)
  }
})
