import { setImmediate } from 'node:timers/promises'
import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { ProcessNote } from '../../persistence/entities/process-note.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { newMaintenance } from '../maintenances/new-maintenance.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { firstStage } from '../vocabulary/rules.ts'
import { dueToBeMade, endOf, type Planned, planned, startsAhead } from './plan.ts'
import { localOf } from './recurrence/zone.ts'
import { seriesProcess } from './subject.ts'

/** How many windows one transaction makes: a daily series of two years is made in steps. */
const AT_ONCE = 100
/** How many occurrences it looks at meanwhile, skipped ones included. */
const LOOKED_AT = 500

/** How many it passes over before the loop answers others: eight a day since 2000 are 80,000. */
export const PASSED_AT_ONCE = 20_000

/** Writes into the history of the series what was done. */
type Note = (message: string) => void

export interface Generated {
  made: Maintenance[]
  /** When there is more to make: now, or when the next occurrence comes near. */
  next: Date | undefined
}

/** Makes the windows that have come within the months that the series keeps ahead, and settles their occurrences. */
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

/** What is over already keeps its index and has no window, as after a pause, or of a series that began long ago. */
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

/** Whatever becomes of that occurrence and of those before it, they are not looked at again. */
export function settle(series: MaintenanceSeries, starts_at: Date, count = 1): void {
  series.settled_until = new Date(starts_at.getTime() + 1)
  series.next_index += count
  series.taken += count
}

/** Those that were skipped before their turn. */
export const skippedAhead = ({ tx }: Pick<WorkContext, 'tx'>, { id, next_index }: MaintenanceSeries) =>
  tx.find(MaintenanceOccurrence, { series_id: id, number: { $gte: next_index } })

/** A window for each, like the series in everything, with an occurrence row that keeps its index and its start. */
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
    const { title, description, auto_transition_enabled } = series
    const window = newMaintenance(work, {
      ...{ title, description, auto_transition_enabled },
      scheduled_start_time: one.starts_at.toISOString(),
      scheduled_end_time: one.ends_at.toISOString(),
      series_id: series.id,
    })
    return Object.assign(window, saidBy(series), { lifecycle_stage_id: stage })
  })
  await tx.flush()
  await dress(work, series, windows)
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
    work.wake(maintenanceProcess(window), `the making of occurrence ${number} of series ${series.id}`)
  })
  note(createdNote(series, plan, windows))
  await tx.flush()
  return windows
}

const noteOfRequest =
  ({ tx, pageId, now }: WorkContext, series: MaintenanceSeries): Note =>
  (message) => {
    const workflow_id = seriesProcess(series)
    tx.create(ProcessNote, { page_id: pageId, workflow_id, at: now, cause: 'request', message })
  }

/** `created 12 windows until 2027-02-01: occurrences 1 to 12, maintenances 31 to 42`. */
function createdNote({ timezone }: MaintenanceSeries, plan: Planned[], windows: Maintenance[]): string {
  const [first, last] = [plan[0]!, plan.at(-1)!]
  const until = localOf(last.starts_at, timezone).date
  if (plan.length === 1)
    return `created the window on ${until}: occurrence ${first.number}, maintenance ${windows[0]!.id}`
  const maintenances = `maintenances ${windows[0]!.id} to ${windows.at(-1)!.id}`
  return `created ${plan.length} windows until ${until}: occurrences ${first.number} to ${last.number}, ${maintenances}`
}

/** What a window takes over from its series, when it is made and while it follows. */
export const saidBy = (series: MaintenanceSeries) => ({
  title: series.title,
  description: series.description,
  impact: series.impact,
  affected_items_freetext: series.affected_items_freetext,
  chat_channel_id: series.chat_channel_id,
  auto_transition_enabled: series.auto_transition_enabled,
  auto_transition_start_message: series.auto_transition_start_message,
  auto_transition_complete_message: series.auto_transition_complete_message,
})

/** Gives new windows the items of the series and what it says in other languages. */
export async function dress({ tx, pageId, now }: WorkContext, { id }: MaintenanceSeries, windows: Maintenance[]) {
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
