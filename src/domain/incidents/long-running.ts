import { Incident } from '../../persistence/entities/incident.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from '../kernel/context.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import type { Settings } from '../settings/schema.ts'
import { longRunningAt } from './rules.ts'

/** After how many hours without an update the page wants an alert; null for never. */
export const alertHours = (settings: Settings): number | null =>
  settings.notify_on_long_running_incidents ? settings.long_running_incident_no_update_hours : null

/** Writes the alert that is due, once for each time without an update. Returns its due moment. */
export function writeDueAlert(
  { now, minuteMs, events }: WorkContext,
  incident: Incident,
  hours: number | null,
): Date | undefined {
  const due = longRunningAt(incident, hours, minuteMs)
  if (!due || due > now) return undefined
  incident.alerted_for = incident.quiet_from
  const event: NewEvent = {
    page_id: incident.page_id,
    key: 'incident.long_running',
    natural_key: `incident:${incident.id}:long-running:${due.toISOString()}`,
    subject_kind: 'incident',
    subject_id: incident.id,
    due_at: due,
    created_at: now,
    late: isLate(now, due, minuteMs),
    missed: isLate(now, due, minuteMs) ? 1 : 0,
    withheld: null,
    data: { status: incident.status, hours, quiet_from: incident.quiet_from.toISOString() },
  }
  events.push(event)
  return due
}

/** Wakes the processes of open incidents, whose next due moment depends on these settings. */
export async function applyAlertHours(ctx: Context, before: Settings, after: Settings): Promise<void> {
  if (alertHours(before) === alertHours(after)) return
  for (const { id } of await ctx.tx.find(Incident, { resolved_at: null }, { fields: ['id'] })) {
    ctx.wake({ kind: 'incident', id }, 'a change of the settings of long-running incidents')
  }
}
