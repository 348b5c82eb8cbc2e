import type { Incident } from '../../persistence/entities/incident.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { type DueReminder, dueReminder } from './rules.ts'

/** The incident is reminded of up to here. The event's key is made of facts alone, so nobody writes it twice. */
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
    data: { status: incident.status, reminder_interval_minutes: incident.reminder_interval_minutes },
  }
}

/**
 * Before a new count starts: a reminder that has fallen due and that the process has not come to, as after a time
 * down, is written with the change. Returns what the process is told of it.
 */
export function remindBefore({ now, minuteMs, events }: WorkContext, incident: Incident): string {
  const due = dueReminder(incident, now, minuteMs)
  if (!due) return ''
  events.push(takeReminder(incident, due, now))
  return `, and wrote the reminder due ${due.due.toISOString()} first${standsFor(due)}`
}

export function standsFor({ count }: DueReminder): string {
  return count > 1 ? `, standing for ${count} that were missed` : ''
}
