import { setImmediate } from 'node:timers/promises'
import { workflowIdOf } from '../../../workflows/processes.ts'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { storedValues } from '../kernel/fields.ts'
import { named } from '../kernel/text-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { newMaintenance } from '../maintenances/new-maintenance.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { firstStage } from '../vocabulary/rules.ts'
import { creationNote, startWords } from './creation-notes.ts'
import { windowFields } from './fields.ts'
import { dueToBeMade, endOf, type Planned, planned, startsAhead } from './plan.ts'

/** The most windows that one transaction creates: a daily series of two years needs several steps. */
const AT_ONCE = 100
/** The most occurrences that one transaction reads, including skipped occurrences. */
const LOOKED_AT = 500

/** After so many past occurrences the event loop runs other work: eight a day since 2000 are 80,000. */
export const PASSED_AT_ONCE = 20_000

/** Writes a note into the history of the series. */
type Note = (message: string) => void

export interface Generated {
  made: Maintenance[]
  /** When the next window is to be created; now if this transaction reached its limit. */
  next: Date | undefined
}

/** Creates the windows that start within the generated months, and settles their occurrences. */
export async function generate(work: WorkContext, series: MaintenanceSeries, note?: Note): Promise<Generated> {
  const { now } = work
  await passOver(series, now)
  const skipped = new Set((await skippedAhead(work, series)).map(({ number }) => number))
  const plan = planned(series, { limit: LOOKED_AT })
  const toMake: Planned[] = []
  let next = plan.length < LOOKED_AT ? undefined : now
  for (const one of plan) {
    const due = dueToBeMade(one, series.generate_months)
    const notYet = due > now
    if (notYet || toMake.length >= AT_ONCE) {
      next = notYet ? due : now
      break
    }
    settle(series, one.starts_at)
    if (!skipped.has(one.number)) toMake.push(one)
  }
  return { made: await makeWindows(work, series, toMake, note), next }
}

/** Settles past occurrences without windows, as after a pause or for an old start. They keep their indexes. */
async function passOver(series: MaintenanceSeries, now: Date): Promise<void> {
  const until = new Date(now.getTime() - (endOf(series, now).getTime() - now.getTime()) + 1)
  let [count, last]: [number, number | undefined] = [0, undefined]
  for (const at of startsAhead(series, until)) {
    count += 1
    last = at
    if (count % PASSED_AT_ONCE === 0) await setImmediate()
  }
  if (last !== undefined) settle(series, new Date(last), count)
}

/** Marks the occurrence and all before it as done: the series does not plan them again. */
export function settle(series: MaintenanceSeries, starts_at: Date, count = 1): void {
  series.settled_until = new Date(starts_at.getTime() + 1)
  series.next_index += count
  series.taken += count
}

/** The occurrences that were skipped before their window was created. */
export const skippedAhead = ({ tx }: Pick<WorkContext, 'tx'>, { id, next_index }: MaintenanceSeries) =>
  tx.find(MaintenanceOccurrence, { series_id: id, number: { $gte: next_index } })

/** Creates a window with the fields of the series for each planned occurrence, and the occurrence with index and start. */
export async function makeWindows(
  work: WorkContext,
  series: MaintenanceSeries,
  plan: Planned[],
  note: Note = noteOfRequest(work, series),
): Promise<Maintenance[]> {
  const { tx, pageId } = work
  if (plan.length === 0) return []
  const stage = series.lifecycle_stage_id ?? firstStage(await stagesOf(tx, 'maintenance'))?.id ?? null
  const windows = plan.map((one) => {
    const window = newMaintenance(work, {
      ...storedValues(windowFields, series),
      scheduled_start_time: one.starts_at.toISOString(),
      scheduled_end_time: one.ends_at.toISOString(),
      series_id: series.id,
    })
    window.lifecycle_stage_id = stage
    return window
  })
  await tx.flush()
  await copyItemsAndTranslations(work, series, windows)
  plan.forEach(({ number, starts_at }, index) => {
    const who = { page_id: pageId, series_id: series.id, number, original_start_time: starts_at }
    const window = windows[index]!
    tx.create(MaintenanceOccurrence, {
      ...who,
      maintenance_id: window.id,
      edited: false,
      skipped: false,
      dropped: false,
      skip_reason: null,
    })
    const occurrence = `occurrence ${number} of series ${named(series.title, series.id)}`
    work.wake(
      { kind: 'maintenance', id: window.id },
      `the creation of ${occurrence}, which starts at ${startWords(starts_at, series)}`,
    )
  })
  note(creationNote(series, plan, windows))
  await tx.flush()
  return windows
}

const noteOfRequest =
  ({ notes }: WorkContext, series: MaintenanceSeries): Note =>
  (message) =>
    notes.push({ workflow_id: workflowIdOf({ kind: 'series', id: series.id }), cause: 'request', message })

/** Copies the items and translations of the series to windows. */
export async function copyItemsAndTranslations(
  { tx, pageId, now }: WorkContext,
  { id }: MaintenanceSeries,
  windows: Maintenance[],
) {
  const items = await tx.find(MaintenanceSeriesItem, { series_id: id }, { orderBy: { id: 'asc' } })
  const variants = await tx.find(LocalizedVariant, { subject_kind: 'maintenance_series', subject_id: id })
  for (const window of windows) {
    for (const { item_id } of items) {
      tx.create(MaintenanceItem, { page_id: pageId, maintenance_id: window.id, item_id })
    }
    for (const { locale, state, values } of variants) {
      const subject = { page_id: pageId, subject_kind: 'maintenance', subject_id: window.id }
      tx.create(LocalizedVariant, { ...subject, locale, state, values, version: 1, updated_at: now })
    }
  }
  await tx.flush()
}
