/** Computes uptime from status events. Pure: times are milliseconds. */

export interface StatusPoint {
  at: number
  status: string
}

export interface Stretch {
  from: number
  to: number
}

export interface Uptime {
  total_seconds: number
  downtime_seconds: number
  uptime_percent: number | null
  worst_status: string | null
}

/**
 * `weightOf` is the part of the time in a status that counts as down. Before the first event the item had the previous status
 * of that event. Time before `since`, the start of the item, does not count.
 */
export function uptimeOf(
  points: StatusPoint[],
  first: string,
  { from, to }: Stretch,
  since: number,
  weightOf: (status: string) => number,
  worst: (statuses: string[]) => string,
): Uptime {
  const start = Math.max(from, since)
  if (start >= to) return { total_seconds: 0, downtime_seconds: 0, uptime_percent: null, worst_status: null }
  let down = 0
  const seen: string[] = []
  for (const [index, { at, status }] of [{ at: Number.NEGATIVE_INFINITY, status: first }, ...points].entries()) {
    const until = points[index]?.at ?? Number.POSITIVE_INFINITY
    const time = Math.min(until, to) - Math.max(at, start)
    if (time <= 0) continue
    seen.push(status)
    down += time * weightOf(status)
  }
  const total = to - start
  return {
    total_seconds: Math.round(total / 1000),
    downtime_seconds: Math.round(down / 1000),
    uptime_percent: Math.round((1 - down / total) * 1_000_000) / 10_000,
    worst_status: worst(seen),
  }
}

/** The start of a calendar day in a zone, which is not midnight where a clock change skips midnight. */
export function startOfDay(date: string, zone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  let guess = midnight - offsetAt(midnight, zone)
  guess = midnight - offsetAt(guess, zone)
  // In a gap the guess falls on the previous day; the day starts at the end of the gap.
  while (dateIn(guess, zone) < date) guess += 15 * 60 * 1000
  return guess
}

/** The calendar day of an instant in a zone, as YYYY-MM-DD. */
export function dateIn(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 10)
}

export function daysBack(date: string, days: number): string[] {
  const last = Date.parse(`${date}T00:00:00Z`)
  return Array.from({ length: days }, (_one, index) =>
    new Date(last - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
}

function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(instant)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
  return wall - Math.floor(instant / 1000) * 1000
}
