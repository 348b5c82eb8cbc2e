import type { Incident } from '../../persistence/entities/incident.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import { named } from '../kernel/text-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { type DueReminder, dueReminder, nextReminder } from './rules.ts'

/** For the note of a wake-up. */
export const creationOf = ({ id, title }: Incident): string => `the creation of incident ${named(title, id)}`

/** Marks the reminder as written and returns its notification. Its key consists of facts, so the database refuses a second one. */
export function takeReminder(incident: Incident, due: DueReminder, now: Date): NewEvent {
  incident.reminded_until = due.until
  return {
    page_id: incident.page_id,
    key: 'incident.reminder',
    natural_key: `incident:${incident.id}:reminder:${due.due.toISOString()}`,
    subject_kind: 'incident',
    subject_id: incident.id,
    due_at: due.due,
    created_at: now,
    late: due.late,
    missed: due.late ? due.count : 0,
    withheld: null,
    data: { status: incident.status, reminder_interval_minutes: incident.reminder_interval_minutes },
  }
}

/**
 * Writes a reminder that is due and that the process has not written yet, as after an outage, before a change restarts
 * the interval. Returns words for the note of the wake-up.
 */
export function writeDueReminder({ now, minuteMs, events }: WorkContext, incident: Incident): string {
  const due = dueReminder(incident, now, minuteMs)
  if (!due) return ''
  events.push(takeReminder(incident, due, now))
  return `; wrote the reminder that was due at ${due.due.toISOString()} before the change${missedWords(due.count)}`
}

/** For notes: how many missed reminders a late reminder replaces. */
export const missedWords = (count: number): string =>
  count > 1 ? ` (one reminder instead of ${count} missed ones)` : ''

/** For the note of a wake-up: when the next reminder is due after the change. */
export function reminderWords({ minuteMs }: Pick<WorkContext, 'minuteMs'>, incident: Incident): string {
  const next = nextReminder(incident, minuteMs)
  if (next) return `; the next reminder is due at ${next.toISOString()}`
  return incident.resolved_at ? '' : '; no reminder follows: the incident has no reminder interval'
}
