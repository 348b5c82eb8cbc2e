import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { applyRevision, cancelQuietly, type FutureWindow, isFixed, rowsOf } from './apply-to-windows.ts'
import { makeWindows, skippedAhead } from './generate.ts'
import { endOf, matchOccurrences, monthsFrom, type Pair, type Planned, planned } from './plan.ts'
import { instantOf, localOf, wallAt, zoneOf } from './recurrence/zone.ts'

/** More than any series makes in two years. */
const MOST = 6000

export interface Rescheduled {
  moved: number
  made: number
  cancelled: number
}

/** Moves the future windows to a new schedule and cancels windows without a place, except edited windows. */
export async function followSchedule(
  work: WorkContext,
  series: MaintenanceSeries,
  notify: boolean,
): Promise<Rescheduled> {
  const { now } = work
  const dayOf = (moment: Date) => localOf(moment, series.timezone).date
  const today = instantOf(dayOf(now), '00:00', series.timezone)
  const settled = await occurrencesSince(work, series, today)
  const last = settled.at(-1)?.original_start_time ?? now
  const paused = series.status !== 'active'
  // An occurrence stays on its day, at whatever time of the day.
  const afterLast = instantOf(dayAfter(dayOf(last)), '00:00', series.timezone)
  const horizon = paused ? 0 : monthsFrom(now, series.generate_months).getTime()
  const until = new Date(Math.max(afterLast.getTime(), horizon))
  const most = series.max_occurrences ?? Number.POSITIVE_INFINITY
  series.taken -= settled.length
  const plan = planned({ ...series, settled_until: today, max_occurrences: null }, { until, limit: MOST })
  const zone = zoneOf(series.timezone)
  // The plan names the first pass of an hour that comes twice; a window in the second pass stays there.
  const placeOf = (place: Planned, { original_start_time: start }: { original_start_time: Date }): Planned =>
    wallAt(start.getTime(), zone) === wallAt(place.starts_at.getTime(), zone)
      ? { ...place, starts_at: start, ends_at: endOf(series, start) }
      : place
  const busyUntil = endOfRunning(settled)
  const { pairs, left } = matchOccurrences(plan, settled, { now, dayOf, busyUntil, placeOf, isFixed })
  const result: Rescheduled = { moved: 0, made: 0, cancelled: 0 }
  const places: Planned[] = []
  // Fixed occurrences count first; the rest of the count is for the others, in their order.
  const movable = new Set([...pairs.flatMap(({ kept }) => kept ?? []), ...left].filter((one) => !isFixed(one)))
  series.taken += settled.length - movable.size
  for (const { planned: place, kept } of pairs) {
    if (kept && isFixed(kept)) keepFixed(kept, place)
    else if (series.taken >= most) left.push(...(kept ? [kept] : []))
    else if (kept) {
      series.taken += 1
      if (move(work, series, kept, place)) result.moved += 1
    } else if (!paused) {
      series.taken += 1
      places.push(place)
    }
  }
  series.settled_until = settledBy(pairs, { plan, until, paused, now })
  result.made = await makeMissing(work, series, places)
  result.cancelled = await drop(work, series, left, notify)
  await placeSkips(work, series)
  await work.tx.flush()
  return result
}

const DAY_MS = 24 * 60 * 60 * 1000

const dayAfter = (date: string): string => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)

/** The latest scheduled end of the windows in progress. */
function endOfRunning(settled: FutureWindow[]): Date {
  const running = settled.filter(({ window }) => window?.status === 'in_progress')
  return new Date(Math.max(0, ...running.map(({ window }) => window!.scheduled_end_time?.getTime() ?? 0)))
}

/** The end of the settled time. Occurrences after the last window of a paused series are still to be created. */
function settledBy(
  pairs: Pair<FutureWindow>[],
  { plan, until, paused, now }: { plan: Planned[]; until: Date; paused: boolean; now: Date },
): Date {
  const last = paused ? pairs.findLast(({ kept }) => kept)?.planned : plan.length === MOST ? plan.at(-1) : undefined
  if (last) return new Date(Math.max(now.getTime(), last.starts_at.getTime()) + 1)
  return paused ? new Date(now.getTime() + 1) : until
}

/** The settled occurrences with an original start at `since` or later, with their windows. */
async function occurrencesSince(work: WorkContext, series: MaintenanceSeries, since: Date) {
  const rows = await rowsOf(work, series, { original_start_time: { $gte: since }, number: { $lt: series.next_index } })
  return rows.map((one) => ({ ...one, original_start_time: one.row.original_start_time }))
}

/** A skipped occurrence gets the new start; every other fixed occurrence keeps its start. */
function keepFixed({ row }: FutureWindow, { starts_at }: Planned): void {
  if (row.skipped && !row.edited) row.original_start_time = starts_at
}

function move(
  work: WorkContext,
  series: MaintenanceSeries,
  { row, window }: FutureWindow,
  { starts_at, ends_at }: Planned,
): boolean {
  const same = (a: Date | null, b: Date) => a?.getTime() === b.getTime()
  row.original_start_time = starts_at
  if (same(window!.scheduled_start_time, starts_at) && same(window!.scheduled_end_time, ends_at)) return false
  Object.assign(window!, { scheduled_start_time: starts_at, scheduled_end_time: ends_at, listed_at: starts_at })
  window!.reminders_from = work.now
  applyRevision(work, series, window!)
  return true
}

/** Creates windows for places without an occurrence, under new indexes; an index that was skipped in advance gets none. */
async function makeMissing(work: WorkContext, series: MaintenanceSeries, places: Planned[]): Promise<number> {
  const ahead = new Map((await skippedAhead(work, series)).map((row) => [row.number, row]))
  const toMake: Planned[] = []
  for (const place of places) {
    const number = series.next_index++
    const skip = ahead.get(number)
    if (skip) skip.original_start_time = place.starts_at
    else toMake.push({ ...place, number })
  }
  return (await makeWindows(work, series, toMake)).length
}

/** Cancels the windows without a place in the new schedule, except fixed windows; returns their number. */
async function drop(
  work: WorkContext,
  series: MaintenanceSeries,
  left: FutureWindow[],
  notify: boolean,
): Promise<number> {
  const movable = left.filter((one) => !isFixed(one))
  for (const { row, window } of movable) {
    row.dropped = true
    await cancelQuietly(work, series, window!, { change: 'change', notify })
  }
  return movable.length
}

/** Occurrences that were skipped in advance keep their index and get its new start. */
async function placeSkips(work: WorkContext, series: MaintenanceSeries): Promise<void> {
  const rows = await skippedAhead(work, series)
  const farthest = Math.max(0, ...rows.map(({ number }) => number - series.next_index + 1))
  const places = new Map(planned(series, { limit: farthest }).map((place) => [place.number, place.starts_at]))
  for (const row of rows) row.original_start_time = places.get(row.number) ?? row.original_start_time
}
