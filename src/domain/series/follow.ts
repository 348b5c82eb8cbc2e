import { type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Scene } from '../kernel/scene.ts'
import { post } from '../maintenances/entry.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { dress, makeWindows } from './generate.ts'
import { follow, monthsFrom, type Pair, type Planned, planned } from './plan.ts'
import { instantOf, localOf } from './recurrence/zone.ts'

/** An occurrence to come, with its window. */
interface Coming {
  row: MaintenanceOccurrence
  window: Maintenance | undefined
}

/** Those that somebody edited, skipped, cancelled, started or deleted have a fate of their own. */
export const isFixed = ({ row, window }: Coming) => row.edited || row.skipped || window?.status !== 'scheduled'

/**
 * Occurrences with their windows, in the order of their original starts. They are ours until we are done, windows first
 * as in every change of one: else what somebody edits meanwhile would be overwritten.
 */
async function rowsOf({ tx }: Scene, series: MaintenanceSeries, which: FilterQuery<MaintenanceOccurrence>) {
  const ours = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  const where = { $and: [{ series_id: series.id, dropped: false }, which] } as FilterQuery<MaintenanceOccurrence>
  const soonest = { orderBy: { original_start_time: 'asc', number: 'asc' } } as const
  const known = await tx.find(MaintenanceOccurrence, where, soonest)
  const ids = known.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const windows = await tx.find(Maintenance, { id: { $in: ids } }, { orderBy: { id: 'asc' }, ...ours })
  const rows = await tx.find(MaintenanceOccurrence, where, { ...soonest, ...ours })
  const byId = new Map(windows.map((window) => [window.id, window]))
  return rows.map((row): Coming => ({ row, window: byId.get(row.maintenance_id ?? 0) }))
}

/** The occurrences whose time is still to come. */
export const comingOf = (scene: Scene, series: MaintenanceSeries) =>
  rowsOf(scene, series, { original_start_time: { $gt: scene.now } })

/** Those to come that somebody edited, wherever they were moved to. */
export async function keptOf({ tx, now }: Scene, series: MaintenanceSeries): Promise<MaintenanceOccurrence[]> {
  const edited = { series_id: series.id, edited: true, dropped: false }
  const rows = await tx.find(MaintenanceOccurrence, edited, { orderBy: { number: 'asc' } })
  const ids = rows.flatMap(({ maintenance_id }) => maintenance_id ?? [])
  const ahead = { id: { $in: ids }, status: 'scheduled', scheduled_start_time: { $gt: now } }
  const windows = new Set((await tx.find(Maintenance, ahead)).map(({ id }) => id))
  return rows.filter(({ maintenance_id }) => windows.has(maintenance_id ?? 0))
}

/** The windows to come that follow the series say what it says now; `dressed`: be it of its items or in other languages. */
export async function followWords(
  scene: Scene,
  series: MaintenanceSeries,
  { stageId, dressed }: { stageId: number | undefined; dressed: boolean },
): Promise<void> {
  const { tx } = scene
  const coming = await comingOf(scene, series)
  const windows = coming.filter((one) => !isFixed(one)).map(({ window }) => window!)
  const said = saidBy(series, stageId)
  for (const window of windows) {
    const changed = Object.entries(said).some(([name, value]) => window[name as keyof typeof said] !== value)
    if (!changed && !dressed) continue
    Object.assign(window, said)
    revise(scene, series, window)
  }
  await tx.flush()
  if (!dressed) return
  const ids = { $in: windows.map(({ id }) => id) }
  await tx.nativeDelete(MaintenanceItem, { maintenance_id: ids })
  await tx.nativeDelete(LocalizedVariant, { subject_kind: 'maintenance', subject_id: ids })
  await dress(scene, series, windows)
}

const saidBy = (series: MaintenanceSeries, stageId: number | undefined) => ({
  title: series.title,
  description: series.description,
  impact: series.impact,
  affected_items_freetext: series.affected_items_freetext,
  chat_channel_id: series.chat_channel_id,
  auto_transition_enabled: series.auto_transition_enabled,
  auto_transition_start_message: series.auto_transition_start_message,
  auto_transition_complete_message: series.auto_transition_complete_message,
  ...(stageId === undefined ? {} : { lifecycle_stage_id: stageId }),
})

function revise({ now, wake }: Scene, series: MaintenanceSeries, window: Maintenance): void {
  window.version += 1
  window.updated_at = now
  wake(maintenanceProcess(window), `a change of series ${series.id}`)
}

/** More than any series makes in two years. */
const MOST = 6000

export interface Rescheduled {
  moved: number
  made: number
  cancelled: number
}

/** The windows to come follow a new schedule; what has no place in it is cancelled, unless somebody edited it. */
export async function followSchedule(scene: Scene, series: MaintenanceSeries): Promise<Rescheduled> {
  const { now } = scene
  const dayOf = (moment: Date) => localOf(moment, series.timezone).date
  const today = instantOf(dayOf(now), '00:00', series.timezone)
  const settled = await occurrencesSince(scene, series, today)
  const last = settled.at(-1)?.original_start_time ?? now
  const paused = series.status !== 'active'
  const until = new Date(Math.max(last.getTime() + 1, paused ? 0 : monthsFrom(now, series.generate_months).getTime()))
  const most = series.max_occurrences ?? Number.POSITIVE_INFINITY
  series.taken -= settled.length
  const plan = planned({ ...series, settled_until: today, max_occurrences: null }, { until, limit: MOST })
  const running = settled.filter(({ window }) => window?.status === 'in_progress')
  const busyUntil = new Date(Math.max(0, ...running.map(({ window }) => window!.scheduled_end_time?.getTime() ?? 0)))
  const { pairs, left } = follow(plan, settled, { now, dayOf, busyUntil, isFixed })
  const result: Rescheduled = { moved: 0, made: 0, cancelled: 0 }
  const places: Planned[] = []
  // Those that stay whatever happens come first into the count: what is left of it is for the others, in their order.
  series.taken += [...pairs.map(({ kept }) => kept), ...left].filter((one) => one && isFixed(one)).length
  for (const { planned: place, kept } of pairs) {
    if (kept && isFixed(kept)) stand(kept, place)
    else if (series.taken >= most) left.push(...(kept ? [kept] : []))
    else if (kept) {
      series.taken += 1
      if (move(scene, series, kept, place)) result.moved += 1
    } else if (!paused) {
      series.taken += 1
      places.push(place)
    }
  }
  series.settled_until = settledBy(pairs, { plan, until, paused, now })
  result.made = await makeAnew(scene, series, places)
  for (const one of left) if (await drop(scene, one)) result.cancelled += 1
  await placeSkips(scene, series)
  await scene.tx.flush()
  return result
}

/** Everything before it has been seen to. What lies behind the last window of a paused series is still to be made. */
function settledBy(
  pairs: Pair<Coming>[],
  { plan, until, paused, now }: { plan: Planned[]; until: Date; paused: boolean; now: Date },
): Date {
  const last = paused ? pairs.findLast(({ kept }) => kept)?.planned : plan.length === MOST ? plan.at(-1) : undefined
  if (last) return new Date(Math.max(now.getTime(), last.starts_at.getTime()) + 1)
  return paused ? new Date(now.getTime() + 1) : until
}

/** The occurrences that have been settled and whose original start is then or later, with their windows. */
async function occurrencesSince(scene: Scene, series: MaintenanceSeries, since: Date) {
  const rows = await rowsOf(scene, series, { original_start_time: { $gte: since }, number: { $lt: series.next_index } })
  return rows.map((one) => ({ ...one, original_start_time: one.row.original_start_time }))
}

/** A skipped occurrence is skipped at its new time; whatever else is fixed stays where it is. */
function stand({ row }: Coming, { starts_at }: Planned): void {
  if (row.skipped && !row.edited) row.original_start_time = starts_at
}

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

/** Windows for places that nothing stands for, under new indexes; an index that was skipped beforehand has none. */
async function makeAnew(scene: Scene, series: MaintenanceSeries, places: Planned[]): Promise<number> {
  const ahead = new Map((await skipsAhead(scene, series)).map((row) => [row.number, row]))
  const toMake: Planned[] = []
  for (const place of places) {
    const number = series.next_index++
    const skip = ahead.get(number)
    if (skip) skip.original_start_time = place.starts_at
    else toMake.push({ ...place, number })
  }
  return (await makeWindows(scene, series, toMake)).length
}

/** What the new schedule has no place for: edited ones stay, and so does what was done to others by hand. */
async function drop(scene: Scene, one: Coming): Promise<boolean> {
  if (isFixed(one)) return false
  one.row.dropped = true
  await cancelQuietly(scene, one.window!)
  return true
}

/** Occurrences that were skipped long before their turn keep their index, and come when that comes now. */
async function placeSkips(scene: Scene, series: MaintenanceSeries): Promise<void> {
  const rows = await skipsAhead(scene, series)
  const farthest = Math.max(0, ...rows.map(({ number }) => number - series.next_index + 1))
  const places = new Map(planned(series, { limit: farthest }).map((place) => [place.number, place.starts_at]))
  for (const row of rows) row.original_start_time = places.get(row.number) ?? row.original_start_time
}

const skipsAhead = ({ tx }: Scene, { id, next_index }: MaintenanceSeries) =>
  tx.find(MaintenanceOccurrence, { series_id: id, number: { $gte: next_index } })

/** The change of the series is what people are told. */
export async function cancelQuietly(scene: Scene, window: Maintenance): Promise<void> {
  await post(scene, window, { status: 'cancelled', notify: false })
  scene.wake(maintenanceProcess(window), 'the series that it is a part of')
}
