/** Computes uptime from status events. Pure: times are milliseconds and count in whole seconds. */

export interface StatusPoint {
  at: number
  status: string
}

/** The changes of a status in order, and the status before the first change. */
export interface Course {
  first: string
  points: StatusPoint[]
}

/** The whole seconds in each status. */
export type Seconds = Record<string, number>

/** The severity of each status, and the part of its time that counts as down, from 0 to 1. */
export interface Scale {
  weightOf(status: string): number
  severityOf(status: string): number
}

export interface Uptime {
  seconds: Seconds
  total_seconds: number
  downtime_seconds: number
  uptime_percent: number | null
  worst_status: string | null
}

const secondOf = (instant: number) => Math.floor(instant / 1000)

/**
 * The seconds in each status between consecutive bounds. All times are cut to whole seconds, so that the seconds of the parts add
 * up to the seconds of the window. Time before `since`, the start of the item, does not count.
 */
export function secondsBetween({ first, points }: Course, bounds: number[], since: number): Seconds[] {
  const parts: Seconds[] = []
  const start = secondOf(since)
  let status = first
  let next = 0
  for (let index = 1; index < bounds.length; index += 1) {
    const seconds: Seconds = {}
    const end = secondOf(bounds[index]!)
    let at = Math.max(secondOf(bounds[index - 1]!), start)
    while (at < end) {
      const point = points[next]
      const until = point ? Math.min(end, secondOf(point.at)) : end
      if (until > at) {
        seconds[status] = (Object.hasOwn(seconds, status) ? seconds[status]! : 0) + until - at
        at = until
      }
      if (at === end || !point) break
      status = point.status
      next += 1
    }
    parts.push(seconds)
  }
  return parts
}

export function sumOf(parts: Seconds[]): Seconds {
  const sum: Seconds = {}
  for (const part of parts) {
    for (const [status, seconds] of Object.entries(part)) {
      sum[status] = (Object.hasOwn(sum, status) ? sum[status]! : 0) + seconds
    }
  }
  return sum
}

export function uptimeOf(seconds: Seconds, { weightOf, severityOf }: Scale): Uptime {
  let [total, down] = [0, 0]
  let worst: string | null = null
  for (const status in seconds) {
    const time = seconds[status]!
    total += time
    down += time * weightOf(status)
    if (worst === null || severityOf(status) > severityOf(worst)) worst = status
  }
  return {
    seconds,
    total_seconds: total,
    downtime_seconds: Math.ceil(down - ERROR_OF_SECONDS),
    uptime_percent: total === 0 ? null : percentOf(down, total),
    worst_status: worst,
  }
}

/** More than the error of a sum of seconds with fractional weights. */
const ERROR_OF_SECONDS = 1e-6
/** More than the error of a quotient, and less than its distance to the next greater result within a year. */
const ERROR_OF_PARTS = 1e-8
/** Percentages have four decimals. */
const PARTS = 1_000_000

/** Rounded down, and below 100 with any downtime. */
function percentOf(down: number, total: number): number {
  if (down === 0) return 100
  const parts = Math.floor(((total - down) * PARTS) / total + ERROR_OF_PARTS)
  return Math.min(Math.max(0, parts), PARTS - 1) / (PARTS / 100)
}
