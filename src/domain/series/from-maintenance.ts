import type { z } from 'zod'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Context } from '../kernel/context.ts'
import { type FieldError, invalid, Problem } from '../kernel/errors.ts'
import { storedValues } from '../kernel/fields.ts'
import { named } from '../kernel/text-rules.ts'
import { isOver, pastProblems } from '../maintenances/rules.ts'
import type { MaintenanceCreateRequest } from '../maintenances/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { copyTranslations, translateNew } from '../translations/write.ts'
import { windowFields } from './fields.ts'
import { generate, makeWindows, settle } from './generate.ts'
import { affectBySeries, seriesOf } from './new-series.ts'
import { endOf, type Planned, planned } from './plan.ts'
import { localOf } from './recurrence/zone.ts'

/** A series from the fields of one maintenance: the first window, and a rule for the other windows. */

type Input = z.output<typeof MaintenanceCreateRequest>

const MINUTE = 60_000

/** Creates the series and its windows within the generated months. Returns the first window. */
export async function createRecurring(
  ctx: Context,
  input: Input,
  items: { id: number }[],
  stageId: number | undefined,
): Promise<Maintenance> {
  const { auto_transition_enabled } = input
  const { end } = windowOf(input)
  const past = pastProblems({ auto_transition_enabled, scheduled_end_time: end }, ctx.now)
  if (past.length > 0) throw invalid(past)
  const series = await seriesFrom(ctx, input)
  series.lifecycle_stage_id = stageId ?? null
  affectBySeries(ctx, series, items)
  await translateNew(ctx, ['maintenance_series', series.id], input.translations)
  const first = firstAt(series, new Date(input.scheduled_start_time!))
  settle(series, first.starts_at)
  const [window] = await makeWindows(ctx, series, [first])
  await generate(ctx, series)
  return window!
}

/**
 * The first occurrence: exactly the requested window. Its local time must fit the rule. Where a clock change repeats the
 * local time, the window may be the second one, which the rule never names.
 */
function firstAt(series: MaintenanceSeries, start: Date): Planned {
  const { timezone } = series
  const wall = (moment: Date) => Object.values(localOf(moment, timezone)).join(' ')
  const [first, next] = planned(series, { limit: 2 })
  if (!first || wall(first.starts_at) !== wall(start)) {
    const named = first ? `; the first occurrence is on ${wall(first.starts_at)}` : ''
    const message = `does not fit the scheduled start, ${wall(start)} in ${timezone}${named}`
    throw invalid([{ path: 'recurrence_rule', message }])
  }
  const ends_at = endOf(series, start)
  if (!next || next.starts_at >= ends_at) return { ...first, starts_at: start, ends_at }
  throw invalid([
    { path: 'scheduled_end_time', message: `lies after the start of the next occurrence, ${wall(next.starts_at)}` },
  ])
}

type Recurrence = Pick<Input, 'recurrence_timezone' | 'recurrence_end_time'> & { recurrence_rule: string }

/** Makes an existing maintenance the first window of a new series. */
export async function convertToSeries(ctx: Context, first: Maintenance, recurrence: Recurrence): Promise<void> {
  const { tx, page } = ctx
  if (isOver(first.status)) {
    throw new Problem(
      'conflict',
      `The maintenance is ${first.status}: create a new maintenance with a recurrence_rule.`,
    )
  }
  const series = await seriesFrom(ctx, {
    ...storedValues(windowFields, first),
    ...recurrence,
    scheduled_start_time: first.scheduled_start_time?.toISOString(),
    scheduled_end_time: first.scheduled_end_time?.toISOString(),
  })
  const own = firstAt(series, first.scheduled_start_time!)
  const items = await tx.find(MaintenanceItem, { maintenance_id: first.id }, { orderBy: { id: 'asc' } })
  affectBySeries(
    ctx,
    series,
    items.map(({ item_id: id }) => ({ id })),
  )
  await copyTranslations(ctx, ['maintenance', first.id], ['maintenance_series', series.id])
  settle(series, own.starts_at)
  first.series_id = series.id
  tx.create(MaintenanceOccurrence, {
    ...{ page_id: page.id, series_id: series.id, number: own.number, original_start_time: own.starts_at },
    ...{ maintenance_id: first.id, edited: false, skipped: false, dropped: false, skip_reason: null },
  })
  await tx.flush()
  await generate(ctx, series)
}

interface SeriesFields extends Omit<Parameters<typeof seriesOf>[1], Own> {
  recurrence_timezone?: string | null
  recurrence_end_time?: string | null
  scheduled_start_time?: string | null
  scheduled_end_time?: string | null
}
type Own = 'status' | 'start_time' | 'start_date' | 'duration_minutes' | 'timezone'

async function seriesFrom(ctx: Context, fields: SeriesFields): Promise<MaintenanceSeries> {
  const { tx } = ctx
  const { start, end } = windowOf(fields)
  const timezone = fields.recurrence_timezone ?? (await settingsOf(tx)).reliability_policy_timezone
  const { date, time } = localOf(start, timezone)
  const values = withFieldNamesOfMaintenance(() =>
    seriesOf(ctx, {
      ...fields,
      ...{ recurrence_type: 'rrule', timezone, status: 'active', external_id: undefined },
      ...{ start_date: date, start_time: time, duration_minutes: (end.getTime() - start.getTime()) / MINUTE },
    }),
  )
  const series = tx.create(MaintenanceSeries, values)
  series.offset_ms = start.getTime() % MINUTE
  await tx.flush()
  ctx.wake({ kind: 'series', id: series.id }, `the creation of series ${named(series.title, series.id)}`)
  return series
}

function windowOf({ scheduled_start_time, scheduled_end_time }: SeriesFields): { start: Date; end: Date } {
  if (!scheduled_start_time || !scheduled_end_time) {
    const path = scheduled_start_time ? 'scheduled_end_time' : 'scheduled_start_time'
    throw invalid([{ path, message: 'is required with a recurrence_rule' }])
  }
  const [start, end] = [new Date(scheduled_start_time), new Date(scheduled_end_time)]
  if (end > start && (end.getTime() - start.getTime()) % MINUTE === 0) return { start, end }
  throw invalid([
    {
      path: 'scheduled_end_time',
      message: 'must lie a whole number of minutes after the start if the maintenance recurs',
    },
  ])
}

/** The names of the fields of a series in a maintenance. */
const names: Record<string, string> = {
  duration_minutes: 'scheduled_end_time',
  ends_on: 'recurrence_rule',
  start_date: 'scheduled_start_time',
  start_time: 'scheduled_start_time',
  timezone: 'recurrence_timezone',
}

function withFieldNamesOfMaintenance<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    const errors = error instanceof Problem ? (error.details.errors as FieldError[] | undefined) : undefined
    if (!errors) throw error
    throw invalid(errors.map(({ path, message }) => ({ path: names[path] ?? path, message })))
  }
}
