import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Planned } from './plan.ts'
import { localOf, wallAt, zoneOf } from './recurrence/zone.ts'

/** Notes about created windows, with local times, UTC times and clock changes. Pure. */

type Schedule = Pick<MaintenanceSeries, 'timezone' | 'start_time' | 'recurrence_rule'>

const MOST_CHANGES = 2

/** `2026-10-27 02:30 (01:30 UTC)`. */
function localAndUtc(at: Date, { timezone, start_time, recurrence_rule }: Schedule): string {
  const { date, time } = localOf(at, timezone)
  const isSkipped = time !== start_time && !/BYHOUR|BYMINUTE/i.test(recurrence_rule ?? '')
  const why = isSkipped ? `, because ${timezone} has no ${start_time} on that day` : ''
  return `${date} ${time} (${at.toISOString().slice(11, 16)} UTC)${why}`
}

/** `2026-10-27 02:30 (01:30 UTC) in Europe/Berlin`. */
export const startWords = (at: Date, schedule: Schedule): string =>
  `${localAndUtc(at, schedule)} in ${schedule.timezone}`

const offsetAt = ({ starts_at }: Planned, timezone: string) =>
  wallAt(starts_at.getTime(), zoneOf(timezone)) - starts_at.getTime()

/** The neighbouring occurrences between which the clocks change. */
function clockChanges(plan: Planned[], timezone: string): [Planned, Planned][] {
  return plan.slice(1).flatMap((one, index): [Planned, Planned][] => {
    const before = plan[index]!
    return offsetAt(before, timezone) === offsetAt(one, timezone) ? [] : [[before, one]]
  })
}

/** `created 12 windows: occurrences 1 to 12, maintenances 31 to 42, from … to … in Europe/Berlin; clock change: …`. */
export function creationNote(schedule: Schedule, plan: Planned[], windows: { id: number }[]): string {
  const [first, last] = [plan[0]!, plan.at(-1)!]
  const [start, end] = [first, last].map(({ starts_at }) => localAndUtc(starts_at, schedule))
  const { timezone } = schedule
  if (plan.length === 1) {
    return `created 1 window: occurrence ${first.number}, maintenance ${windows[0]!.id}, at ${start} in ${timezone}`
  }
  const changes = clockChanges(plan, timezone)
  const shown = changes
    .slice(0, MOST_CHANGES)
    .map(([before, after]) => {
      const [earlier, later] = [before, after].map(({ starts_at }) => localAndUtc(starts_at, schedule))
      return `; clock change: occurrence ${before.number} starts at ${earlier}, occurrence ${after.number} at ${later}`
    })
    .join('')
  const left = changes.length - MOST_CHANGES
  const more = left > 0 ? `; further clock changes: ${left}` : ''
  const occurrences = `occurrences ${first.number} to ${last.number}`
  const maintenances = `maintenances ${windows[0]!.id} to ${windows.at(-1)!.id}`
  return `created ${plan.length} windows: ${occurrences}, ${maintenances}, from ${start} to ${end} in ${timezone}${shown}${more}`
}
