import type { Incident } from '../../persistence/entities/incident.ts'
import { isFuture, isLate } from '../kernel/lateness-rules.ts'

/** Rules of incidents. Pure: no database, no clock. */

type Reminding = Pick<Incident, 'resolved_at' | 'reminder_interval_minutes' | 'reminders_from' | 'reminded_until'>

/** When the next reminder is due; undefined for a resolved incident or without an interval. */
export function nextReminder(incident: Reminding, minuteMs: number): Date | undefined {
  if (incident.resolved_at || !incident.reminder_interval_minutes) return undefined
  const last = Math.max(incident.reminders_from.getTime(), incident.reminded_until?.getTime() ?? 0)
  return new Date(last + incident.reminder_interval_minutes * minuteMs)
}

export interface DueReminder {
  /** The first due moment. */
  due: Date
  /** How many due moments have passed: 1, or more after an outage. */
  count: number
  /** The last due moment that has passed: the next reminder counts from here. */
  until: Date
  late: boolean
}

/** The reminder that is due now. One reminder replaces several missed reminders and has their count. */
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

type Quiet = Pick<Incident, 'resolved_at' | 'quiet_from' | 'alerted_for'>

/** When the alert of an incident without an update is due; undefined once it is written, or without the alert. */
export function longRunningAt(incident: Quiet, hours: number | null, minuteMs: number): Date | undefined {
  const { resolved_at, quiet_from, alerted_for } = incident
  if (resolved_at || hours === null || alerted_for?.getTime() === quiet_from.getTime()) return undefined
  return new Date(quiet_from.getTime() + hours * 60 * minuteMs)
}

interface TimesOfIncident {
  started_at: Date
  /** The time of the newest entry, which is the latest time of all entries. */
  newest_entry_at: Date | undefined
}

/** Why the incident cannot have been resolved at this time. */
export function resolvedAtProblem(
  { started_at, newest_entry_at: newest }: TimesOfIncident,
  resolvedAt: Date,
  now: Date,
): string | undefined {
  if (resolvedAt < started_at) return 'must not lie before the start of the incident'
  if (newest && resolvedAt < newest) {
    return `must not lie before the newest entry of the timeline, whose time is ${newest.toISOString()}`
  }
  if (isFuture(resolvedAt, now)) return 'must not lie in the future'
  return undefined
}

/** The end of an impact: not before its start, so that an impact which began later has no length. */
export function impactEnd({ start_time }: { start_time: Date }, at: Date): Date {
  return start_time > at ? start_time : at
}

interface Ending {
  status: string | null
  start_time: Date
  end_time: Date | null
  ended_status: string | null
}

/** Ends an impact with its own status, or else with the status of the incident. */
export function endImpact(impact: Ending, at: Date, incidentStatus: string): void {
  impact.end_time = impactEnd(impact, at)
  impact.ended_status = impact.status ?? incidentStatus
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
