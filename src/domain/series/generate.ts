import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import type { Scene } from '../kernel/scene.ts'
import { blank } from '../maintenances/make.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { firstStage } from '../vocabulary/rules.ts'
import { dueToBeMade, endOf, type Planned, planned } from './plan.ts'

/** How many windows one transaction makes: a daily series of two years is made in steps. */
const AT_ONCE = 100
/** How many occurrences it looks at meanwhile, skipped ones included. */
const LOOKED_AT = 500
/** More than a series can have. */
const ALL = 20_000

export interface Generated {
  made: Maintenance[]
  /** When there is more to make: now, or when the next occurrence comes near. */
  next: Date | undefined
}

/** Makes the windows that have come within the months that the series keeps ahead, and settles their occurrences. */
export async function generate(scene: Scene, series: MaintenanceSeries, { atLeast = 0 } = {}): Promise<Generated> {
  const { now } = scene
  passOver(series, now)
  const skipped = new Set((await skippedAhead(scene, series)).map(({ number }) => number))
  const plan = planned(series, { limit: LOOKED_AT })
  const toMake: Planned[] = []
  let next = plan.length < LOOKED_AT ? undefined : now
  for (const one of plan) {
    const due = dueToBeMade(one, series.generate_months)
    const notYet = due > now && toMake.length >= atLeast
    if (notYet || toMake.length >= AT_ONCE) {
      next = notYet ? due : now
      break
    }
    settle(series, one)
    if (!skipped.has(one.number)) toMake.push(one)
  }
  return { made: await makeWindows(scene, series, toMake), next }
}

/** What is over already keeps its index and has no window, as after a pause, or of a series that began long ago. */
function passOver(series: MaintenanceSeries, now: Date): void {
  const until = new Date(now.getTime() - (endOf(series, now).getTime() - now.getTime()) + 1)
  for (const one of planned(series, { until, limit: ALL })) settle(series, one)
}

/** Whatever becomes of it, the occurrence is not looked at again. */
export function settle(series: MaintenanceSeries, { number, starts_at }: Planned): void {
  series.settled_until = new Date(starts_at.getTime() + 1)
  series.next_index = number + 1
  series.taken += 1
}

/** Those that were skipped before their turn. */
export const skippedAhead = ({ tx }: Scene, { id, next_index }: MaintenanceSeries) =>
  tx.find(MaintenanceOccurrence, { series_id: id, number: { $gte: next_index } })

/** A window for each, like the series in everything, with an occurrence row that remembers who it is. */
export async function makeWindows(scene: Scene, series: MaintenanceSeries, plan: Planned[]): Promise<Maintenance[]> {
  const { tx, pageId } = scene
  if (plan.length === 0) return []
  const stage = series.lifecycle_stage_id ?? firstStage(await stagesOf(tx, 'maintenance'))?.id ?? null
  const windows = plan.map((one) => {
    const { title, description, auto_transition_enabled } = series
    const window = blank(scene, {
      ...{ title, description, auto_transition_enabled },
      scheduled_start_time: one.starts_at.toISOString(),
      scheduled_end_time: one.ends_at.toISOString(),
      series_id: series.id,
    })
    return Object.assign(window, saidBy(series), { lifecycle_stage_id: stage })
  })
  await tx.flush()
  await dress(scene, series, windows)
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
    scene.wake(maintenanceProcess(window), `the making of occurrence ${number} of series ${series.id}`)
  })
  await tx.flush()
  return windows
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
export async function dress({ tx, pageId, now }: Scene, { id }: MaintenanceSeries, windows: Maintenance[]) {
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
