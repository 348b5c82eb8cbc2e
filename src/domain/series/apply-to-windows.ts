import { type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { writeUpdate } from '../maintenances/add-update.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { dress, saidBy } from './generate.ts'

/** An occurrence to come, with its window. */
export interface FutureWindow {
  row: MaintenanceOccurrence
  window: Maintenance | undefined
}

/** Those that somebody edited, skipped, cancelled, started or deleted have a fate of their own. */
export const isFixed = ({ row, window }: FutureWindow) => row.edited || row.skipped || window?.status !== 'scheduled'

/**
 * Occurrences with their windows, in the order of their original starts. They are ours until we are done, windows first
 * as in every change of one: else what somebody edits meanwhile would be overwritten.
 */
export async function rowsOf(
  { tx }: WorkContext,
  series: MaintenanceSeries,
  which: FilterQuery<MaintenanceOccurrence>,
) {
  const ours = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  const where = { $and: [{ series_id: series.id, dropped: false }, which] } as FilterQuery<MaintenanceOccurrence>
  const soonest = { orderBy: { original_start_time: 'asc', number: 'asc' } } as const
  const known = await tx.find(MaintenanceOccurrence, where, soonest)
  const ids = known.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const windows = await tx.find(Maintenance, { id: { $in: ids } }, { orderBy: { id: 'asc' }, ...ours })
  const rows = await tx.find(MaintenanceOccurrence, where, { ...soonest, ...ours })
  const byId = new Map(windows.map((window) => [window.id, window]))
  return rows.map((row): FutureWindow => ({ row, window: byId.get(row.maintenance_id ?? 0) }))
}

/** The occurrences whose time is still to come. */
export const futureWindows = (work: WorkContext, series: MaintenanceSeries) =>
  rowsOf(work, series, { original_start_time: { $gt: work.now } })

/** Those to come that somebody edited, wherever they were moved to. */
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

/** The windows to come that follow the series say what it says now; `dressed`: be it of its items or in other languages. */
export async function applyWording(
  work: WorkContext,
  series: MaintenanceSeries,
  { stageId, dressed }: { stageId: number | undefined; dressed: boolean },
): Promise<void> {
  const { tx } = work
  const coming = await futureWindows(work, series)
  const windows = coming.filter((one) => !isFixed(one)).map(({ window }) => window!)
  const said = { ...saidBy(series), ...(stageId === undefined ? {} : { lifecycle_stage_id: stageId }) }
  for (const window of windows) {
    const changed = Object.entries(said).some(([name, value]) => window[name as keyof typeof said] !== value)
    if (!changed && !dressed) continue
    Object.assign(window, said)
    applyRevision(work, series, window)
  }
  await tx.flush()
  if (!dressed) return
  const ids = { $in: windows.map(({ id }) => id) }
  await tx.nativeDelete(MaintenanceItem, { maintenance_id: ids })
  await tx.nativeDelete(LocalizedVariant, { subject_kind: 'maintenance', subject_id: ids })
  await dress(work, series, windows)
}

export function applyRevision({ now, wake }: WorkContext, series: MaintenanceSeries, window: Maintenance): void {
  window.version += 1
  window.updated_at = now
  wake(maintenanceProcess(window), `a change of series ${series.id}`)
}

/** The change of the series is what people are told. */
export async function cancelQuietly(work: WorkContext, window: Maintenance): Promise<void> {
  await writeUpdate(work, window, { status: 'cancelled', notify: false })
  work.wake(maintenanceProcess(window), 'the series that it is a part of')
}
