/**
 * Wall clocks and instants, from the zone data of the runtime. A wall time is a number here: the milliseconds that it
 * would be if it were UTC. Everything that a clock change does to a series happens in `instantAt`.
 */

interface Zone {
  offsetAt: (instant: number) => number
  /** What is known so far: the zone keeps `offset` from `at` to the `at` of the next span, the last one up to `to`. */
  spans: Span[]
  to: number
}

interface Span {
  at: number
  offset: number
}

const DAY = 86_400_000
/** The shortest that any zone has kept an offset since 1969 is a week: no change hides between two probes. */
const PROBE = 4 * DAY
const BLOCK = 92 * PROBE
/** Before and after, a zone is taken to keep the offset that it had; what is asked may be any date that there is. */
const EARLIEST = Date.UTC(1969, 0)
const LATEST = Date.UTC(2400, 0)
/** No clock is farther from UTC, with room for the change itself. */
const FARTHEST = 2 * DAY

/** What has been read of a zone stays true. The key is in lower case, so that there are no more than zones. */
const zones = new Map<string, Zone>()

export function instantOf(date: string, time: string, zone: string): Date {
  return new Date(instantAt(Date.parse(`${date}T${time}:00Z`), zone))
}

/** To the minute, as a series counts; seconds are cut off. */
export function localOf(instant: Date, zone: string): { date: string; time: string } {
  const wall = new Date(wallAt(instant.getTime(), zone)).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) }
}

/** A wall time that comes twice is the first; one that a change skips moves forward by the gap. */
export function instantAt(wall: number, name: string): number {
  const { spans } = known(name, wall - FARTHEST, wall + FARTHEST)
  let index = spanAt(spans, wall - FARTHEST)
  // The first span whose own clock has not yet run past this wall time: it shows the time, or begins after a gap.
  while (spans[index + 1] && wall >= spans[index + 1]!.at + spans[index]!.offset) index++
  const { at, offset } = spans[index]!
  const skipped = wall - offset < at
  return wall - (skipped ? spans[index - 1]!.offset : offset)
}

export function wallAt(instant: number, name: string): number {
  const { spans } = known(name, instant, instant)
  return instant + spans[spanAt(spans, instant)]!.offset
}

function spanAt(spans: Span[], instant: number): number {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (spans[middle]!.at <= instant) low = middle
    else high = middle - 1
  }
  return low
}

function known(name: string, from: number, to: number): Zone {
  const key = name.toLowerCase()
  let zone = zones.get(key)
  if (!zone) {
    const offsetAt = offsetReader(name)
    const start = Math.floor(clamped(from) / BLOCK) * BLOCK
    zone = { offsetAt, spans: [{ at: start, offset: offsetAt(start) }], to: start }
    zones.set(key, zone)
  }
  while (zone.to <= clamped(to)) {
    zone.spans.push(...changes(zone.offsetAt, zone.to, zone.to + BLOCK))
    zone.to += BLOCK
  }
  while (zone.spans[0]!.at > clamped(from)) {
    const [{ at }] = zone.spans as [Span]
    const start = at - BLOCK
    zone.spans.splice(0, 1, { at: start, offset: zone.offsetAt(start) }, ...changes(zone.offsetAt, start, at))
  }
  return zone
}

function clamped(instant: number): number {
  return Math.min(Math.max(instant, EARLIEST), LATEST)
}

function changes(offsetAt: Zone['offsetAt'], from: number, to: number): Span[] {
  const found: Span[] = []
  let offset = offsetAt(from)
  for (let probe = from; probe < to; probe += PROBE) {
    const next = offsetAt(probe + PROBE)
    if (next === offset) continue
    let [before, after] = [probe, probe + PROBE]
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    found.push({ at: after, offset: next })
    offset = next
  }
  return found
}

/** Of all that Intl can say, the offset by name is the quickest to read: `1/1/1970, GMT-00:44:30`. */
function offsetReader(name: string): Zone['offsetAt'] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  return (instant) => {
    const [, sign, hours, minutes, seconds] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(instant)) ?? []
    if (!sign) return 0
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? -size : size
  }
}
