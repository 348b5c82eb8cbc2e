import { type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { storedValues } from '../kernel/fields.ts'
import { named } from '../kernel/text-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { writeUpdate } from '../maintenances/add-update.ts'
import { windowFields } from './fields.ts'
import { copyItemsAndTranslations } from './generate.ts'

/** An occurrence with its window. */
export interface FutureWindow {
  row: MaintenanceOccurrence
  window: Maintenance | undefined
}

/** A window that a person edited, skipped, cancelled, started or deleted does not follow the series. */
export const isFixed = ({ row, window }: FutureWindow) => row.edited || row.skipped || window?.status !== 'scheduled'

/**
 * Locks and returns occurrences with their windows, in the order of their original starts. Windows are locked first, as in
 * every change of a window, so that an edit at the same time is not overwritten.
 */
export async function rowsOf(
  { tx }: WorkContext,
  series: MaintenanceSeries,
  which: FilterQuery<MaintenanceOccurrence>,
) {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  const where = { $and: [{ series_id: series.id, dropped: false }, which] } as FilterQuery<MaintenanceOccurrence>
  const soonest = { orderBy: { original_start_time: 'asc', number: 'asc' } } as const
  const known = await tx.find(MaintenanceOccurrence, where, soonest)
  const ids = known.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const windows = await tx.find(Maintenance, { id: { $in: ids } }, { orderBy: { id: 'asc' }, ...locked })
  const rows = await tx.find(MaintenanceOccurrence, where, { ...soonest, ...locked })
  const byId = new Map(windows.map((window) => [window.id, window]))
  return rows.map((row): FutureWindow => ({ row, window: byId.get(row.maintenance_id ?? 0) }))
}

/** The occurrences in the future. */
export const futureWindows = (work: WorkContext, series: MaintenanceSeries) =>
  rowsOf(work, series, { original_start_time: { $gt: work.now } })

/** The edited occurrences whose window lies in the future. */
export async function editedWindows(
  { tx, now }: WorkContext,
  series: MaintenanceSeries,
): Promise<MaintenanceOccurrence[]> {
  const edited = { series_id: series.id, edited: true, dropped: false }
  const rows = await tx.find(MaintenanceOccurrence, edited, { orderBy: { number: 'asc' } })
  const ids = rows.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const ahead = { id: { $in: ids }, status: 'scheduled', scheduled_start_time: { $gt: now } }
  const windows = new Set((await tx.find(Maintenance, ahead)).map(({ id }) => id))
  return rows.filter(({ maintenance_id }) => windows.has(maintenance_id ?? 0))
}

/** The scheduled starts of the windows of the series that are still to come, the next one first. */
export async function comingStarts(
  { tx, now }: Pick<WorkContext, 'tx' | 'now'>,
  { id }: Pick<MaintenanceSeries, 'id'>,
): Promise<string[]> {
  const ofSeries = await tx.find(MaintenanceOccurrence, { series_id: id, dropped: false })
  const ids = ofSeries.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const ahead = { id: { $in: ids }, status: 'scheduled', scheduled_start_time: { $gt: now } }
  const windows = await tx.find(Maintenance, ahead, { orderBy: { scheduled_start_time: 'asc' } })
  return windows.map(({ scheduled_start_time }) => scheduled_start_time!.toISOString())
}

/** Copies changed texts to the future windows that follow the series; with `copiesParts` also items and translations. */
export async function applyWording(
  work: WorkContext,
  series: MaintenanceSeries,
  { stageId, copiesParts }: { stageId: number | undefined; copiesParts: boolean },
): Promise<void> {
  const { tx } = work
  const coming = await futureWindows(work, series)
  const windows = coming.filter((one) => !isFixed(one)).map(({ window }) => window!)
  const fields = {
    ...storedValues(windowFields, series),
    ...(stageId === undefined ? {} : { lifecycle_stage_id: stageId }),
  }
  for (const window of windows) {
    const changed = Object.entries(fields).some(([name, value]) => window[name as keyof typeof fields] !== value)
    if (!changed && !copiesParts) continue
    Object.assign(window, fields)
    applyRevision(work, series, window)
  }
  await tx.flush()
  if (!copiesParts) return
  const ids = { $in: windows.map(({ id }) => id) }
  await tx.nativeDelete(MaintenanceItem, { maintenance_id: ids })
  await tx.nativeDelete(LocalizedVariant, { subject_kind: 'maintenance', subject_id: ids })
  await copyItemsAndTranslations(work, series, windows)
}

export function applyRevision({ now, wake }: WorkContext, series: MaintenanceSeries, window: Maintenance): void {
  window.version += 1
  window.updated_at = now
  wake({ kind: 'maintenance', id: window.id }, `a change of series ${named(series.title, series.id)}`)
}

/** Cancels a window without a notification: the notification of the series, if there is one, covers the window. */
export async function cancelQuietly(
  work: WorkContext,
  { id, title }: Pick<MaintenanceSeries, 'id' | 'title'>,
  window: Maintenance,
  { change, notify }: { change: 'change' | 'end' | 'deletion'; notify: boolean },
): Promise<void> {
  const because = change === 'deletion' ? 'series_deleted' : 'announced_by_series'
  const withheld = notify ? because : 'notify_false'
  await writeUpdate(work, window, { status: 'cancelled', notify: false, withheld })
  work.wake(
    { kind: 'maintenance', id: window.id },
    `the ${change} of series ${named(title, id)}, which cancelled the maintenance`,
  )
}
