import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { startsOf } from './recurrence/occurrences.ts'
import type { Rule } from './recurrence/rule.ts'

/** Which occurrences of a series are still to be settled. Pure: whoever asks says until when. */

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

/** How many occurrences may be used up goes by what was settled, so the arithmetic does not count them. */
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

/** The occurrences that are not settled and start before then, in order. What lies before them costs nothing. */
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

/**
 * How far beyond the windows that are made the occurrences are counted: an index is known only by counting. Farther ones
 * are refused.
 */
export const MOST_AHEAD = 10_000

const MINUTE = 60_000

/** The duration is elapsed time. */
export const endOf = ({ duration_minutes }: Pick<Planning, 'duration_minutes'>, start: Date): Date =>
  new Date(start.getTime() + duration_minutes * MINUTE)

/** So many months on, by the calendar: the 31st is the last day of a shorter month. */
export function monthsFrom(moment: Date, months: number): Date {
  const result = new Date(moment)
  result.setUTCDate(1)
  result.setUTCMonth(result.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate()
  result.setUTCDate(Math.min(moment.getUTCDate(), lastDay))
  return result
}

/** When an occurrence comes so near that its window is to be made. */
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
  /** Until then a window of the series goes on, and no other may begin. */
  busyUntil: Date
  /** Those that have begun, were edited or skipped: they take a place, and are not moved to it. */
  isFixed: (one: O) => boolean
}

/**
 * Which occurrence stands for which place of a new plan, both from the beginning of today on. One on the same day
 * stays who it is; the rest of those to come follow in their order, so that the third to come is the third still. One that
 * is fixed takes a place like any other, or the series would have it twice.
 */
export function matchOccurrences<O extends Place>(
  plan: Planned[],
  rows: O[],
  { now, dayOf, busyUntil, isFixed }: Following<O>,
) {
  const inOrder = [...rows].sort((a, b) => a.original_start_time.getTime() - b.original_start_time.getTime())
  const byDay = Map.groupBy(inOrder, (one) => dayOf(one.original_start_time))
  const pairs = plan.map((planned): Pair<O> => ({ planned, kept: byDay.get(dayOf(planned.starts_at))?.shift() }))
  const free = new Set([...byDay.values()].flat().filter((one) => one.original_start_time > now))
  const open = pairs.filter(({ planned, kept }) => {
    if (planned.starts_at > now && planned.starts_at >= busyUntil) return true
    if (!kept || isFixed(kept)) return kept !== undefined
    // What has passed is not moved, were it never begun.
    if (kept.original_start_time > now) free.add(kept)
    return false
  })
  const waiting = inOrder.filter((one) => free.has(one))
  for (const pair of open) pair.kept ??= waiting.shift()
  return { pairs: open, left: waiting }
}
