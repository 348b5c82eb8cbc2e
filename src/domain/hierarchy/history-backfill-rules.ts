import { isFuture } from '../kernel/lateness-rules.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import type { Held } from './history-rules.ts'

/** What is learned of the past of an incident's items, and when. Pure: instants of stretches are milliseconds. */

/** For the descriptions of the operations that tell of the past. */
export const backfillDescription =
  'What is told of the past is laid over the status events of the items and of all above them, and uptime follows: at each moment the worse of what was known and what is told counts. Nothing that is known is taken back by an earlier end or a later start: correct or delete the status events for that.'

export interface Stretch {
  from: number
  /** Infinity while it goes on. */
  to: number
}

interface Times {
  start_time: Date
  end_time: Date | null
}

/** The past of an impact that was not known before it was told like this. It may go on, but what is still to come is none. */
export function newStretches(known: Times | undefined, told: Times, now: Date): Stretch[] {
  const { from, to } = stretchOf(told)
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

/** What an incident's statuses were, as far as anybody wrote it down. */
export interface Statuses {
  initial: string
  current: string
  /** In the order in which it was written. */
  timeline: { status: string; previous_status: string; created_at: Date }[]
}

/**
 * How an impact held its item: with its own status, or with the one that the incident had. Where a change moved that
 * without a word on the timeline nobody knows when, and the milder one counts. A resolved incident is as it was before.
 */
export function impactStretches(
  { from, to }: Stretch,
  own: string | null,
  { initial, current, timeline }: Statuses,
  milder: (one: string, other: string) => string,
): Held[] {
  if (own !== null) return [{ from, to, status: own }]
  const held: Held[] = []
  const hold = (since: number, until: number, began: string, ended: string) => {
    const status = ended === RESOLVED ? began : milder(began, ended)
    held.push({ from: Math.max(from, since), to: Math.min(to, until), status })
  }
  let [at, status] = [Number.NEGATIVE_INFINITY, initial]
  for (const entry of timeline) {
    // Never backwards, even if one entry were to lie before the one before it.
    const next = Math.max(at, entry.created_at.getTime())
    hold(at, next, status, entry.previous_status)
    status = [entry.status, entry.previous_status].find((one) => one !== RESOLVED) ?? status
    at = next
  }
  hold(at, Number.POSITIVE_INFINITY, status, current)
  return held.filter((one) => one.from < one.to)
}

interface Course {
  started_at: Date
  acknowledged_at: Date | null
  resolved_at: Date | null
  /** When the first entry of the timeline was written. */
  first_entry_at: Date | undefined
}

/** Why an incident cannot have begun then. What it says already may be said again, and earlier is always possible. */
export function startProblem(start: Date, course: Course, now: Date): string | undefined {
  if (start <= course.started_at) return undefined
  if (isFuture(start, now)) return 'must not lie in the future'
  if (course.resolved_at && start > course.resolved_at) return 'must not lie behind the resolution'
  if (course.acknowledged_at && start > course.acknowledged_at) return 'must not lie behind the acknowledgement'
  if (course.first_entry_at && start > course.first_entry_at) {
    return 'must not lie behind the first entry of the timeline'
  }
  return undefined
}
