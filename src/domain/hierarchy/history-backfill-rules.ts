import { isFuture } from '../kernel/lateness-rules.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import type { Held } from './history-rules.ts'

/** Computes what a backfill adds to the past of an incident's items. Pure: times of stretches are milliseconds. */

/** For the descriptions of the operations that backfill. */
export const backfillDescription =
  'Impacts in the past add status events to the items and to all their parents, and uptime follows: at each moment the worse of the recorded status and the added status counts. An earlier end or a later start removes no recorded status: correct or delete the status events instead.'

export interface Stretch {
  from: number
  /** Infinity while the impact is open. */
  to: number
}

interface Times {
  start_time: Date
  end_time: Date | null
}

/** The parts of the past that an impact with new times covers and did not cover before. The future is not part of the past. */
export function newStretches(known: Times | undefined, changed: Times, now: Date): Stretch[] {
  const { from, to } = stretchOf(changed)
  const before = known && stretchOf(known)
  const parts = before
    ? [
        { from, to: Math.min(to, before.from) },
        { from: Math.max(from, before.to), to },
      ]
    : [{ from, to }]
  return parts
    .map((part) => (part.to === Number.POSITIVE_INFINITY ? part : { ...part, to: Math.min(part.to, now.getTime()) }))
    .filter((part) => part.from < part.to && part.from < now.getTime())
}

const stretchOf = ({ start_time, end_time }: Times): Stretch => ({
  from: start_time.getTime(),
  to: end_time?.getTime() ?? Number.POSITIVE_INFINITY,
})

/** The recorded statuses of an incident. */
export interface Statuses {
  initial: string
  current: string
  /** In the order of writing. */
  timeline: { status: string; previous_status: string; created_at: Date }[]
}

/**
 * The statuses that an impact gave its item: its own status, or the status of the incident at each time. Where the status
 * of the incident changed without an entry, the time of the change is unknown and the milder status counts. A resolved
 * incident keeps its last open status.
 */
export function impactStretches(
  { from, to }: Stretch,
  own: string | null,
  { initial, current, timeline }: Statuses,
  milder: (a: string, b: string) => string,
): Held[] {
  if (own !== null) return [{ from, to, status: own }]
  const held: Held[] = []
  const add = (since: number, until: number, began: string, ended: string) => {
    const status = ended === RESOLVED ? began : milder(began, ended)
    held.push({ from: Math.max(from, since), to: Math.min(to, until), status })
  }
  let [at, status] = [Number.NEGATIVE_INFINITY, initial]
  for (const entry of timeline) {
    // Times never go backwards, even if an entry lies before its predecessor.
    const next = Math.max(at, entry.created_at.getTime())
    add(at, next, status, entry.previous_status)
    status = [entry.status, entry.previous_status].find((one) => one !== RESOLVED) ?? status
    at = next
  }
  add(at, Number.POSITIVE_INFINITY, status, current)
  return held.filter((one) => one.from < one.to)
}

interface Course {
  started_at: Date
  acknowledged_at: Date | null
  resolved_at: Date | null
  /** When the first entry of the timeline was written. */
  first_entry_at: Date | undefined
}

/** Why the start of an incident cannot be this time. The stored start and any earlier time are valid. */
export function startProblem(start: Date, course: Course, now: Date): string | undefined {
  if (start <= course.started_at) return undefined
  if (isFuture(start, now)) return 'must not lie in the future'
  if (course.resolved_at && start > course.resolved_at) return 'must not lie after the resolution'
  if (course.acknowledged_at && start > course.acknowledged_at) return 'must not lie after the acknowledgement'
  if (course.first_entry_at && start > course.first_entry_at) {
    return 'must not lie after the first entry of the timeline'
  }
  return undefined
}
