import { instantAt } from './zone.ts'

const DAY = 86_400_000
const YEAR = 366 * DAY
/** The longest stretch of the calendar that is looked at in one go. */
const LONGEST_LOOK = 8 * YEAR
/** Farther than any clock change has moved a clock. */
export const LONGEST_GAP = 2 * DAY

/**
 * The moments that wall times from `start` up to `last` are in a zone: in order, and each once. A time that a clock
 * change skips moves past later ones, or onto them, so the end of a stretch waits for what the next one brings.
 */
export function* instantsOf(
  wallsBetween: (from: number, to: number) => number[],
  start: number,
  last: number,
  zone: string,
): Generator<number> {
  let waiting: number[] = []
  let previous: number | undefined
  for (let [from, size] = [start, YEAR]; from <= last; from += size, size = Math.min(size * 2, LONGEST_LOOK)) {
    const to = Math.min(from + size, last + 1)
    const found = wallsBetween(from, to).map((wall) => instantAt(wall, zone))
    const settled = to > last ? Number.POSITIVE_INFINITY : instantAt(to, zone) - LONGEST_GAP
    const sorted = [...waiting, ...found].sort((a, b) => a - b)
    waiting = sorted.filter((at) => at >= settled)
    for (const at of sorted.slice(0, sorted.length - waiting.length)) {
      if (at !== previous) yield at
      previous = at
    }
  }
}
