import { expect, test } from '@jest/globals'
import { mismatch, readRecorded } from '../oracle/recorded.ts'

/** A part of what `npm run oracle` compares, spread over all the kinds of series that it has. */
const EVERY = 60

const { tz, cases } = readRecorded()
const sample = cases.filter((_one, index) => index % EVERY === 0)

test('the recording is of the zone data that the runtime has', () => {
  expect(process.versions.tz).toBe(tz)
})

test('series occur at the times of dateutil and zoneinfo', () => {
  expect(sample.reduce((sum, { starts }) => sum + starts.length, 0)).toBeGreaterThan(3000)
  expect(sample.flatMap((one) => mismatch(one) ?? [])).toEqual([])
})

test('the oracle reports a wrong answer', () => {
  const [first] = sample
  const moved = first!.starts.map((start, index) => (index === 3 ? start + 60_000 : start))
  expect(mismatch({ ...first!, starts: moved })).toContain('4 of')
  expect(mismatch({ ...first!, starts: first!.starts.slice(0, -1) })).toContain('recorded was none')
})
