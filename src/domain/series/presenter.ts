import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import { compact, valuesOf } from '../kernel/fields.ts'
import { translationsOf } from '../translations/read.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { presentStage } from '../vocabulary/presenter.ts'
import { windowFields } from './fields.ts'
import { endOf, type Planned } from './plan.ts'
import type { Rule } from './recurrence/rule.ts'
import type { OccurrenceStatus, SeriesStatus } from './schema.ts'

/** The interface writes dates as date-times. */
const dateTime = (date: string) => `${date}T00:00:00.000Z`

const listedFields = compact(windowFields)

export function presentCompact(series: MaintenanceSeries) {
  return {
    id: series.id,
    ...valuesOf(listedFields, series),
    status: series.status as SeriesStatus,
    external_id: series.external_id ?? undefined,
    version: series.version,
    lifecycle_stage_id: series.lifecycle_stage_id ?? undefined,
    recurrence_type: series.recurrence_type as Rule['recurrence_type'],
    recurrence_rule: series.recurrence_rule ?? undefined,
    interval_weeks: series.interval_weeks ?? undefined,
    weekday: series.weekday ?? undefined,
    ordinal_week: series.ordinal_week ?? undefined,
    timezone: series.timezone,
    start_time: series.start_time,
    start_date: dateTime(series.start_date),
    ends_on: series.ends_on === null ? null : dateTime(series.ends_on),
    recurrence_end_time: series.recurrence_end_time?.toISOString(),
    duration_minutes: series.duration_minutes,
    generate_months: series.generate_months,
    max_occurrences: series.max_occurrences,
    created_at: series.created_at.toISOString(),
    updated_at: series.updated_at.toISOString(),
  }
}

/** The fields that an audit row compares. */
export const presentSeries = (series: MaintenanceSeries) => ({
  ...presentCompact(series),
  ...valuesOf(windowFields, series),
})

/** Full series with their items and translations, in a constant number of queries. */
export async function presentFull(tx: EntityManager, list: MaintenanceSeries[]) {
  const ids = list.map(({ id }) => id)
  const stages = new Map((await stagesOf(tx, 'maintenance')).map((stage) => [stage.id, stage]))
  const affected = await tx.find(MaintenanceSeriesItem, { series_id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const items = await tx.find(HierarchyItem, { id: { $in: [...new Set(affected.map(({ item_id }) => item_id))] } })
  const path = await pathsOf(tx, items)
  const byId = new Map(items.map((item) => [item.id, presentItemSummary(item, path)]))
  const bySeries = Map.groupBy(affected, ({ series_id }) => series_id)
  const translations = await translationsOf(tx, { maintenance_series: list })
  return list.map((series) => {
    const stage = stages.get(series.lifecycle_stage_id ?? 0)
    return {
      ...presentSeries(series),
      lifecycle_stage: stage && presentStage(stage),
      affected_items: (bySeries.get(series.id) ?? []).map(({ item_id }) => byId.get(item_id)!),
      translations: translations('maintenance_series', series.id),
    }
  })
}

/** Stored occurrences, with the status of their windows. */
export async function presentOccurrences(tx: EntityManager, series: MaintenanceSeries, rows: MaintenanceOccurrence[]) {
  const ids = rows.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const windows = new Map((await tx.find(Maintenance, { id: { $in: ids } })).map((one) => [one.id, one]))
  return rows.map((row) => {
    const window = windows.get(row.maintenance_id ?? 0)
    const { original_start_time: start } = row
    const planned = { starts_at: start, ends_at: endOf(series, start) }
    const { scheduled_start_time = planned.starts_at, scheduled_end_time = planned.ends_at } = window ?? {}
    return {
      index: row.number,
      original_start_time: start.toISOString(),
      scheduled_start_time: scheduled_start_time?.toISOString() ?? null,
      scheduled_end_time: scheduled_end_time?.toISOString() ?? null,
      status: statusOf(row, window),
      maintenance_id: window?.id,
      edited: row.edited,
      skip_reason: row.skip_reason ?? undefined,
    }
  })
}

function statusOf({ skipped }: MaintenanceOccurrence, window: Maintenance | undefined): OccurrenceStatus {
  if (skipped) return 'skipped'
  if (!window || window.status === 'cancelled') return 'cancelled'
  return window.status === 'completed' ? 'completed' : 'created'
}

export const presentPlanned = ({ number, starts_at, ends_at }: Planned) => ({
  index: number,
  original_start_time: starts_at.toISOString(),
  scheduled_start_time: starts_at.toISOString(),
  scheduled_end_time: ends_at.toISOString(),
  status: 'planned' as const,
})
