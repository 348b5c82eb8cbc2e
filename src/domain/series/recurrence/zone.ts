/**
 * Wall times and instants, from the time zone data of the runtime. A wall time is a number: its milliseconds as if it were in
 * UTC. `pieceAt` holds all effects of clock changes on a series.
 */
export interface Zone {
  offsetAt(instant: number): number
  /** The computed pieces, by block of wall times. */
  blocks: Map<number, Piece[]>
}

/** Wall times from `from` up to the next piece, and their offset from UTC. */
interface Piece {
  from: number
  offset: number
  /** A clock change skips these wall times: with the offset before the change they move forward by the gap. */
  skipped: boolean
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Every zone since 1969 keeps an offset for at least six days, so that two probes find every change. */
const PROBE = 5 * DAY
const BLOCK = 74 * PROBE
/** Before and after this range a zone keeps its offset. */
const EARLIEST = Date.UTC(1969, 0)
const LATEST = Date.UTC(2400, 0)
/** The largest distance of a wall time from UTC, including clock changes. */
export const FARTHEST = 2 * DAY
/** From 2101 up to 2200 weekdays repeat every 28 years, and no zone has an exceptional year. */
const REPEATING = Date.UTC(2129, 0)
const CYCLE = Date.UTC(2129, 0) - Date.UTC(2101, 0)

/** The keys are in lower case, so that each zone has one entry. */
const zones = new Map<string, Zone>()

export function zoneOf(name: string): Zone {
  const key = name.toLowerCase()
  const zone = zones.get(key) ?? { offsetAt: offsetReader(name), blocks: new Map() }
  zones.set(key, zone)
  return zone
}

export const instantOf = (date: string, time: string, zone: string) =>
  new Date(instantAt(Date.parse(`${date}T${time}:00Z`), zoneOf(zone)))

/** The local date and time to the minute. */
export function localOf(instant: Date, zone: string): { date: string; time: string } {
  const wall = new Date(wallAt(instant.getTime(), zoneOf(zone))).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) }
}

/** A repeated wall time is the first of the two; a skipped wall time moves forward by the gap. */
const instantAt = (wall: number, zone: Zone) => wall - pieceAt(zone, wall).offset

export const wallAt = (instant: number, { offsetAt }: Zone) => instant + offsetAt(instant)

export function pieceAt(zone: Zone, wall: number): Piece {
  const known = wall < REPEATING ? wall : wall - CYCLE * (Math.floor((wall - REPEATING) / CYCLE) + 1)
  const number = Math.floor(clamped(known) / BLOCK)
  let pieces = zone.blocks.get(number)
  if (!pieces) {
    pieces = piecesBetween(zone.offsetAt, number * BLOCK, (number + 1) * BLOCK)
    zone.blocks.set(number, pieces)
  }
  let last = pieces.length - 1
  while (last > 0 && pieces[last]!.from > known) last--
  return pieces[last]!
}

const clamped = (instant: number) => Math.min(Math.max(instant, EARLIEST), LATEST)

function piecesBetween(offsetAt: Zone['offsetAt'], from: number, to: number): Piece[] {
  const first = from - FARTHEST
  let offset = offsetAt(first)
  const pieces: Piece[] = [{ from: Number.NEGATIVE_INFINITY, offset, skipped: false }]
  for (let probe = first; probe < to + FARTHEST; probe += PROBE) {
    const next = offsetAt(probe + PROBE)
    if (next === offset) continue
    const at = changeBetween(offsetAt, probe, probe + PROBE)
    if (next > offset) pieces.push({ from: at + offset, offset, skipped: true })
    pieces.push({ from: at + Math.max(offset, next), offset: next, skipped: false })
    offset = next
  }
  return pieces
}

/** The first instant with the offset at `to`; clock changes happen on the minute. */
function changeBetween(offsetAt: Zone['offsetAt'], from: number, to: number): number {
  const offset = offsetAt(from)
  let [before, after] = [from, to]
  while (after - before > MINUTE) {
    const middle = Math.floor((before + after) / (2 * MINUTE)) * MINUTE
    if (offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}

/** The fastest way to read an offset from Intl: `00 GMT-00:44:30`. */
function offsetReader(name: string): Zone['offsetAt'] {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, timeZoneName: 'longOffset', hour: 'numeric', hourCycle: 'h23' },
  })
  return (instant) => {
    const [, sign, hours, minutes, seconds] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(clamped(instant))) ?? []
    if (!sign) return 0
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? -size : size
  }
}
