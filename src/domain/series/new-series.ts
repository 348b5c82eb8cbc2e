import type { z } from 'zod'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { newValues } from '../kernel/fields.ts'
import { windowDefaults, windowFields } from './fields.ts'
import { ruleOf } from './plan.ts'
import { problemsOf } from './recurrence/problems.ts'
import type { SeriesCreateRequest } from './schema.ts'

type Input = z.output<typeof SeriesCreateRequest>

/** The fields of the schedule. A change of any of them moves the future windows. */
export const scheduleFields = [
  'recurrence_type',
  'recurrence_rule',
  'interval_weeks',
  'weekday',
  'ordinal_week',
  'timezone',
  'start_time',
  'start_date',
  'ends_on',
  'duration_minutes',
  'max_occurrences',
] as const

export const DEFAULT_MONTHS = 3

type New = Omit<Input, 'affected_items' | 'translations' | 'notify'> & { timezone: string }

/** The values of a new series without settled occurrences. An invalid schedule is refused. */
export function seriesOf({ page, now }: Context, input: New): Omit<MaintenanceSeries, 'id' | symbol> {
  const series = {
    page_id: page.id,
    ...newValues(windowFields, input, windowDefaults()),
    lifecycle_stage_id: null,
    external_id: input.external_id ?? null,
    create_hash: null,
    status: input.status,
    recurrence_type: typeOf(input),
    recurrence_rule: input.recurrence_rule ?? null,
    interval_weeks: input.interval_weeks ?? null,
    weekday: input.weekday ?? null,
    ordinal_week: input.ordinal_week ?? null,
    timezone: input.timezone,
    start_time: input.start_time,
    start_date: input.start_date,
    ends_on: input.ends_on ?? null,
    recurrence_end_time: momentOf(input.recurrence_end_time) ?? null,
    offset_ms: 0,
    duration_minutes: input.duration_minutes,
    generate_months: input.generate_months ?? DEFAULT_MONTHS,
    max_occurrences: input.max_occurrences ?? null,
    settled_until: new Date(0),
    next_index: 1,
    taken: 0,
    version: 1,
    created_at: now,
    updated_at: now,
  }
  requireSchedule(series)
  return series
}

export const momentOf = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text

function typeOf({ recurrence_type: type, recurrence_rule }: Pick<Input, 'recurrence_type' | 'recurrence_rule'>) {
  if (type) return type
  if (recurrence_rule) return 'rrule'
  throw invalid([{ path: 'recurrence_type', message: 'is required without a recurrence_rule' }])
}

/** Refuses a schedule that never occurs, has an unknown time zone, or overlaps itself. */
export function requireSchedule(series: Omit<MaintenanceSeries, 'id' | symbol>): void {
  const problems = problemsOf({ ...ruleOf(series), max_occurrences: series.max_occurrences })
  if (problems.length > 0) throw invalid(problems)
}

export function affectBySeries({ tx, page }: Context, series: MaintenanceSeries, items: { id: number }[]): void {
  for (const item of items) {
    tx.create(MaintenanceSeriesItem, { page_id: page.id, series_id: series.id, item_id: item.id })
  }
}
