import { zoneOf } from '../domain/series/recurrence/zone.ts'

/** The clock changes of a time zone, from the time zone data of the runtime. */

export interface ClockChange {
  /** The instant, in milliseconds. */
  at: number
  /** Offsets from UTC in milliseconds. */
  from: number
  to: number
}

const SECOND = 1000
/** No zone keeps an offset for a shorter time. */
const PROBE = 5 * 86_400_000

const known = new Map<string, ClockChange[]>()

/** The clock changes of whole years. */
export function clockChanges(zone: string, firstYear: number, lastYear: number): ClockChange[] {
  const changes: ClockChange[] = []
  for (let year = firstYear; year <= lastYear; year++) {
    const key = `${zone} ${year}`
    const ofYear = known.get(key) ?? changesBetween(zone, Date.UTC(year, 0), Date.UTC(year + 1, 0))
    known.set(key, ofYear)
    changes.push(...ofYear)
  }
  return changes
}

function changesBetween(zone: string, begin: number, end: number): ClockChange[] {
  const { offsetAt } = zoneOf(zone)
  const changes: ClockChange[] = []
  for (let probe = begin; probe < end; probe += PROBE) {
    const next = Math.min(probe + PROBE, end)
    const [from, to] = [offsetAt(probe), offsetAt(next)]
    if (from !== to) changes.push({ at: changeIn(offsetAt, probe, next), from, to })
  }
  return changes
}

function changeIn(offsetAt: (at: number) => number, begin: number, end: number): number {
  const from = offsetAt(begin)
  let [before, after] = [begin, end]
  while (after - before > SECOND) {
    const middle = Math.floor((before + after) / (2 * SECOND)) * SECOND
    if (offsetAt(middle) === from) before = middle
    else after = middle
  }
  return after
}
