import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { startsOf } from './recurrence/occurrences.ts'
import type { Rule } from './recurrence/rule.ts'

/** The planned occurrences of a series. Pure: the caller passes the time. */

type Planning = Pick<
  MaintenanceSeries,
  | 'recurrence_type'
  | 'recurrence_rule'
  | 'interval_weeks'
  | 'weekday'
  | 'ordinal_week'
  | 'timezone'
  | 'start_time'
  | 'start_date'
  | 'ends_on'
  | 'duration_minutes'
  | 'recurrence_end_time'
  | 'offset_ms'
  | 'max_occurrences'
  | 'settled_until'
  | 'next_index'
  | 'taken'
>

export interface Planned {
  number: number
  starts_at: Date
  ends_at: Date
}

/** The rule without `max_occurrences`: the settled occurrences are counted in the series. */
export const ruleOf = (series: Omit<Planning, 'settled_until' | 'next_index' | 'taken'>): Rule => ({
  recurrence_type: series.recurrence_type as Rule['recurrence_type'],
  recurrence_rule: series.recurrence_rule,
  interval_weeks: series.interval_weeks,
  weekday: series.weekday,
  ordinal_week: series.ordinal_week,
  timezone: series.timezone,
  start_time: series.start_time,
  start_date: series.start_date,
  ends_on: series.ends_on,
  duration_minutes: series.duration_minutes,
  recurrence_end_time: series.recurrence_end_time && shifted(series.recurrence_end_time, -series.offset_ms),
})

const shifted = (moment: Date, by: number) => new Date(moment.getTime() + by)

/** The unsettled occurrences that start before `until`, in order. Settled occurrences cost nothing. */
export function* upcoming(series: Planning, until?: Date): Generator<Planned> {
  let number = series.next_index
  for (const at of startsAhead(series, until)) {
    const starts_at = new Date(at)
    yield { number: number++, starts_at, ends_at: endOf(series, starts_at) }
  }
}

/** The starts alone, which cost a tenth of a microsecond each. */
export function* startsAhead(series: Planning, until?: Date): Generator<number> {
  const { offset_ms, settled_until, taken, max_occurrences } = series
  const [from, to] = [settled_until, until].map((moment) => moment && moment.getTime() - offset_ms)
  let left = Math.max(0, (max_occurrences ?? Number.POSITIVE_INFINITY) - taken)
  if (left === 0) return
  for (const at of startsOf(ruleOf(series), { from, until: to })) {
    yield at + offset_ms
    if (--left === 0) return
  }
}

export function planned(series: Planning, { until, limit }: { until?: Date; limit: number }): Planned[] {
  const found: Planned[] = []
  if (limit < 1) return found
  for (const one of upcoming(series, until)) {
    found.push(one)
    if (found.length === limit) break
  }
  return found
}

/** The most occurrences that a request counts beyond the created windows: an index is known only by counting. */
export const MOST_AHEAD = 10_000

const MINUTE = 60_000

/** The duration is elapsed time. */
export const endOf = ({ duration_minutes }: Pick<Planning, 'duration_minutes'>, start: Date): Date =>
  new Date(start.getTime() + duration_minutes * MINUTE)

/** Calendar months later: the 31st becomes the last day of a shorter month. */
export function monthsFrom(moment: Date, months: number): Date {
  const result = new Date(moment)
  result.setUTCDate(1)
  result.setUTCMonth(result.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate()
  result.setUTCDate(Math.min(moment.getUTCDate(), lastDay))
  return result
}

/** When the window of an occurrence is to be created. */
export const dueToBeMade = ({ starts_at }: Planned, months: number): Date => monthsFrom(starts_at, -months)

interface Place {
  original_start_time: Date
}

export interface Pair<O> {
  planned: Planned
  kept?: O
}

interface Following<O> {
  now: Date
  dayOf: (moment: Date) => string
  /** The end of the window in progress: no other window may start before. */
  busyUntil: Date
  /** The place of an occurrence on the day of the place. */
  placeOf: (planned: Planned, kept: O) => Planned
  /** Started, edited and skipped occurrences take a place in the plan and are not moved. */
  isFixed: (one: O) => boolean
}

/**
 * Assigns occurrences to the places of a new plan, both from the beginning of today on. An occurrence takes the place on its
 * own day; the other future occurrences take the remaining places in their order. A fixed occurrence takes a place too, or
 * the series would contain it twice.
 */
export function matchOccurrences<O extends Place>(
  plan: Planned[],
  rows: O[],
  { now, dayOf, busyUntil, placeOf, isFixed }: Following<O>,
) {
  const inOrder = [...rows].sort((a, b) => a.original_start_time.getTime() - b.original_start_time.getTime())
  const byDay = Map.groupBy(inOrder, (one) => dayOf(one.original_start_time))
  const pairs = plan.map((planned): Pair<O> => {
    const kept = byDay.get(dayOf(planned.starts_at))?.shift()
    return kept ? { planned: placeOf(planned, kept), kept } : { planned }
  })
  const free = new Set([...byDay.values()].flat().filter((one) => one.original_start_time > now))
  const open = pairs.filter(({ planned, kept }) => {
    if (planned.starts_at > now && planned.starts_at >= busyUntil) return true
    if (!kept || isFixed(kept)) return kept !== undefined
    // An occurrence in the past is not moved, even if it never started.
    if (kept.original_start_time > now) free.add(kept)
    return false
  })
  const waiting = inOrder.filter((one) => free.has(one))
  for (const pair of open) pair.kept ??= waiting.shift()
  return { pairs: open, left: waiting }
}
