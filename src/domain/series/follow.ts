import { LockMode } from '@mikro-orm/postgresql'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Scene } from '../kernel/scene.ts'
import { post } from '../maintenances/entry.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { dress, makeWindows, wordsOf } from './generate.ts'
import { follow, monthsFrom, type Planned, planned } from './plan.ts'
import { localOf } from './recurrence/zone.ts'

/** An occurrence to come, with its window. */
interface Coming {
  row: MaintenanceOccurrence
  window: Maintenance | undefined
}

/** Those that somebody edited, skipped, cancelled, started or deleted have a fate of their own. */
export const isFixed = ({ row, window }: Coming) => row.edited || row.skipped || window?.status !== 'scheduled'

/**
 * The occurrences whose time is still to come, in the order of their original starts. With `lock` they are ours until we
 * are done, windows first as in every change of one: else what somebody edits meanwhile would be overwritten.
 */
export async function comingOf({ tx, now }: Scene, series: MaintenanceSeries, { lock = true } = {}): Promise<Coming[]> {
  const ours = lock ? ({ lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const) : {}
  const where = { series_id: series.id, original_start_time: { $gt: now } }
  const soonest = { orderBy: { original_start_time: 'asc' } } as const
  const known = await tx.find(MaintenanceOccurrence, where, soonest)
  const ids = known.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const windows = await tx.find(Maintenance, { id: { $in: ids } }, { orderBy: { id: 'asc' }, ...ours })
  const rows = lock ? await tx.find(MaintenanceOccurrence, where, { ...soonest, ...ours }) : known
  const byId = new Map(windows.map((window) => [window.id, window]))
  return rows.map((row) => ({ row, window: byId.get(row.maintenance_id ?? 0) }))
}

/** The windows to come that follow the series say what it says now. */
export async function followWords(scene: Scene, series: MaintenanceSeries, stageId: number | undefined): Promise<void> {
  const { tx, now } = scene
  const windows = (await comingOf(scene, series)).filter((one) => !isFixed(one)).map(({ window }) => window!)
  const { impact = null, affected_items_freetext = null, chat_channel_id = null, ...words } = wordsOf(series)
  for (const window of windows) {
    const { auto_transition_start_message = null, auto_transition_complete_message = null, ...rest } = words
    Object.assign(window, rest, { impact, affected_items_freetext, chat_channel_id })
    Object.assign(window, { auto_transition_start_message, auto_transition_complete_message })
    window.auto_transition_enabled = series.auto_transition_enabled
    if (stageId !== undefined) window.lifecycle_stage_id = stageId
    revise(scene, series, window)
  }
  const ids = { $in: windows.map(({ id }) => id) }
  await tx.flush()
  await tx.nativeDelete(MaintenanceItem, { maintenance_id: ids })
  await tx.nativeDelete(LocalizedVariant, { subject_kind: 'maintenance', subject_id: ids })
  await dress({ ...scene, now }, series, windows)
}

function revise({ now, wake }: Scene, series: MaintenanceSeries, window: Maintenance): void {
  window.version += 1
  window.updated_at = now
  wake(maintenanceProcess(window), `a change of series ${series.id}`)
}

const DAY = 86_400_000

export interface Rescheduled {
  moved: number
  made: number
  cancelled: number
}

/** The windows to come follow a new schedule; what has no place in it is cancelled, unless somebody edited it. */
export async function followSchedule(scene: Scene, series: MaintenanceSeries): Promise<Rescheduled> {
  const { tx, now } = scene
  const coming = await comingOf(scene, series)
  const settled = coming.filter(({ row }) => row.number < series.next_index)
  const last = coming.at(-1)?.row.original_start_time ?? now
  const horizon = series.status === 'active' ? monthsFrom(now, series.generate_months) : now
  const until = new Date(Math.max(horizon.getTime(), last.getTime() + DAY))
  series.next_index = Math.max(series.next_index, ...coming.map(({ row }) => row.number + 1))
  series.taken -= settled.length
  series.settled_until = new Date(now.getTime() + 1)
  const places = coming.map((one) => ({ ...one, id: one.row.id, original_start_time: one.row.original_start_time }))
  const { pairs, left } = follow(planned(series, { until, limit: MOST }), places, {
    fixed: isFixed,
    dayOf: (moment) => localOf(moment, series.timezone).date,
  })
  const result: Rescheduled = { moved: 0, made: 0, cancelled: 0 }
  const anew: Planned[] = []
  for (const { planned: place, kept } of pairs) {
    if (!kept) anew.push({ ...place, number: series.next_index++ })
    else if (!isFixed(kept) && move(scene, series, kept, place)) result.moved += 1
  }
  result.made = (await makeWindows(scene, series, anew)).length
  for (const one of left) if (await drop(scene, one)) result.cancelled += 1
  series.taken += pairs.length + left.filter(({ row }) => row.edited).length
  series.settled_until = until
  await tx.flush()
  return result
}

/** More than any series makes ahead. */
const MOST = 5000

function move(
  scene: Scene,
  series: MaintenanceSeries,
  { row, window }: Coming,
  { starts_at, ends_at }: Planned,
): boolean {
  const same = (a: Date | null, b: Date) => a?.getTime() === b.getTime()
  row.original_start_time = starts_at
  if (same(window!.scheduled_start_time, starts_at) && same(window!.scheduled_end_time, ends_at)) return false
  Object.assign(window!, { scheduled_start_time: starts_at, scheduled_end_time: ends_at, listed_at: starts_at })
  window!.reminders_from = scene.now
  revise(scene, series, window!)
  return true
}

/** What the new schedule has no place for: edited ones stay, and so does what was done to others by hand. */
async function drop(scene: Scene, one: Coming): Promise<boolean> {
  const { row, window } = one
  if (row.edited) return false
  scene.tx.remove(row)
  if (isFixed(one)) return false
  await cancelQuietly(scene, window!)
  return true
}

/** The change of the series is what people are told. */
export async function cancelQuietly(scene: Scene, window: Maintenance): Promise<void> {
  await post(scene, window, { status: 'cancelled', notify: false })
  scene.wake(maintenanceProcess(window), 'the series that it is a part of')
}
