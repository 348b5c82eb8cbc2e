import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { occurrences } from './recurrence/occurrences.ts'
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
})

const EVER = new Date('2199-12-31T00:00:00Z')

/** The occurrences that are not settled and start before then, in order. */
export function planned(series: Planning, { until = EVER, limit }: { until?: Date; limit: number }): Planned[] {
  const { offset_ms, recurrence_end_time: end, settled_until, next_index, taken, max_occurrences } = series
  const left = Math.max(0, (max_occurrences ?? Number.POSITIVE_INFINITY) - taken)
  const shift = (moment: Date, by: number) => new Date(moment.getTime() + by)
  const found = occurrences(ruleOf(series), {
    from: shift(settled_until, -offset_ms),
    until: shift(until, -offset_ms),
    limit: Math.min(limit, left),
  })
  return found
    .map(({ starts_at, ends_at }, index) => ({
      number: next_index + index,
      starts_at: shift(starts_at, offset_ms),
      ends_at: shift(ends_at, offset_ms),
    }))
    .filter(({ starts_at }) => !end || starts_at <= end)
}

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
  id: number
  original_start_time: Date
}

export interface Followed<O extends Place> {
  /** Which occurrence, if any, stands for each planned one. */
  pairs: { planned: Planned; kept?: O }[]
  /** Those that the new plan has no place for. */
  left: O[]
}

/**
 * What becomes of the occurrences to come when a series gets another schedule. One on the same day stays who it is;
 * the rest follow in their order, so that the third one to come is the third one still. Those that are `fixed`, edited
 * or skipped, take the place of their own day alone.
 */
export function follow<O extends Place>(
  plan: Planned[],
  kept: O[],
  { fixed, dayOf }: { fixed: (one: O) => boolean; dayOf: (moment: Date) => string },
): Followed<O> {
  const pairs: Followed<O>['pairs'] = plan.map((one) => ({ planned: one }))
  const inOrder = [...kept].sort((a, b) => a.original_start_time.getTime() - b.original_start_time.getTime())
  const byDay = Map.groupBy(inOrder, (one) => dayOf(one.original_start_time))
  for (const pair of pairs) pair.kept = byDay.get(dayOf(pair.planned.starts_at))?.shift()
  const left = [...byDay.values()].flat().sort((a, b) => inOrder.indexOf(a) - inOrder.indexOf(b))
  const free = left.filter((one) => !fixed(one))
  for (const pair of pairs) pair.kept ??= free.shift()
  return { pairs, left: [...free, ...left.filter(fixed)] }
}
