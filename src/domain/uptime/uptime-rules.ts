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

/** The seconds of a part without a change of the status. */
type WholeParts = (index: number, status: string, seconds: number) => Seconds

const NOTHING: Seconds = {}
const wholePart: WholeParts = (_index, status, seconds) => ({ [status]: seconds })

/**
 * The seconds in each status between consecutive bounds. All times are cut to whole seconds, so that the seconds of the parts add
 * up to the seconds of the window. Time before `since`, the start of the item, does not count. Parts without a change may be shared.
 */
export function secondsBetween(
  { first, points }: Course,
  bounds: number[],
  since: number,
  wholeOf = wholePart,
): Seconds[] {
  const start = secondOf(since)
  let status = first
  let next = 0

  /** The seconds from `from` to `end`, in which the status changes. */
  function mixed(from: number, end: number): Seconds {
    const seconds: Seconds = {}
    for (let at = from; at < end; ) {
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
    return seconds
  }

  return bounds.slice(1).map((bound, index) => {
    const [from, end] = [Math.max(secondOf(bounds[index]!), start), secondOf(bound)]
    if (from >= end) return NOTHING
    const point = points[next]
    return point && secondOf(point.at) < end ? mixed(from, end) : wholeOf(index, status, end - from)
  })
}

export function sumOf(parts: Seconds[]): Seconds {
  const sum: Seconds = {}
  for (const part of parts) {
    for (const status in part) sum[status] = (Object.hasOwn(sum, status) ? sum[status]! : 0) + part[status]!
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
