import { pieceAt, type Zone } from './zone.ts'

/**
 * The instants of wall times in a zone, in order and without duplicates. A wall time that a clock change skips moves forward
 * past later wall times or onto them, so it is kept back until the earlier instants are done.
 */
export function* instantsOf(walls: Iterable<number>, zone: Zone): Generator<number> {
  let moved: number[] = []
  let previous = Number.NEGATIVE_INFINITY
  for (const wall of walls) {
    const piece = pieceAt(zone, wall)
    const at = wall - piece.offset
    if (piece.skipped) {
      moved.push(at)
      continue
    }
    if (moved.length > 0) {
      const earlier = moved.filter((one) => one < at && one > previous)
      yield* earlier
      previous = earlier.at(-1) ?? previous
      moved = moved.filter((one) => one > at)
    }
    if (at > previous) yield at
    previous = at
  }
  yield* moved
}
