import type { Incident } from '../../persistence/entities/incident.ts'
import { isFuture, isLate } from '../kernel/lateness-rules.ts'

/** Everything about incidents that can be decided without a database or a clock. */

type Reminding = Pick<Incident, 'resolved_at' | 'reminder_interval_minutes' | 'reminders_from' | 'reminded_until'>

/** The next moment a reminder is due, or nothing for an incident that is over or has no interval. */
export function nextReminder(incident: Reminding, minuteMs: number): Date | undefined {
  if (incident.resolved_at || !incident.reminder_interval_minutes) return undefined
  const last = Math.max(incident.reminders_from.getTime(), incident.reminded_until?.getTime() ?? 0)
  return new Date(last + incident.reminder_interval_minutes * minuteMs)
}

export interface DueReminder {
  /** The first moment that was missed, or the only one. */
  due: Date
  /** How many due moments have come: 1, or more after a time down. */
  count: number
  /** The last of them: the next reminder counts from here. */
  until: Date
  late: boolean
}

/** The reminder that is due now. Several missed ones are one that says how many. */
export function dueReminder(incident: Reminding, now: Date, minuteMs: number): DueReminder | undefined {
  const due = nextReminder(incident, minuteMs)
  if (!due || due > now) return undefined
  const interval = (incident.reminder_interval_minutes ?? 0) * minuteMs
  const count = Math.floor((now.getTime() - due.getTime()) / interval) + 1
  return {
    due,
    count,
    until: new Date(due.getTime() + (count - 1) * interval),
    late: count > 1 || isLate(now, due, minuteMs),
  }
}

interface Told {
  started_at: Date
  /** Of the newest entry of the timeline: each is of the time of the one before it, or later. */
  newest_entry_at: Date | undefined
}

/** Resolving is refused outside the time that the incident can have ended in. */
export function resolvedAtProblem(
  { started_at, newest_entry_at: newest }: Told,
  resolvedAt: Date,
  now: Date,
): string | undefined {
  if (resolvedAt < started_at) return 'must not lie before the start of the incident'
  if (newest && resolvedAt < newest) {
    return `must not lie before the newest entry of the timeline, which is of ${newest.toISOString()}`
  }
  if (isFuture(resolvedAt, now)) return 'must not lie in the future'
  return undefined
}

/** An impact that began after the moment at which it is said to end never was. */
export function impactEnd({ start_time }: { start_time: Date }, at: Date): Date {
  return start_time > at ? start_time : at
}

interface Ending {
  status: string | null
  start_time: Date
  end_time: Date | null
  ended_status: string | null
}

/** Ends an impact, with the status that it has: its own, or `followed`, the one of its incident. */
export function endImpact(impact: Ending, at: Date, followed: string): void {
  impact.end_time = impactEnd(impact, at)
  impact.ended_status = impact.status ?? followed
}

/** Why an impact cannot have these times. */
export function impactProblem(
  { start_time, end_time }: { start_time: Date; end_time: Date | null },
  now: Date,
): { path: string; message: string } | undefined {
  if (isFuture(start_time, now)) return { path: 'start_time', message: 'must not lie in the future' }
  if (!end_time) return undefined
  if (isFuture(end_time, now)) return { path: 'end_time', message: 'must not lie in the future' }
  if (end_time < start_time) return { path: 'end_time', message: 'must not lie before the start' }
  return undefined
}
