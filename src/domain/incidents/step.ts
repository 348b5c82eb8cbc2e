import { Incident } from '../../persistence/entities/incident.ts'
import { claimEvent } from '../../persistence/notifications.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { standsFor, takeReminder } from './reminder.ts'
import { type DueReminder, dueReminder, nextReminder } from './rules.ts'

/** What an incident's process does when it looks: write the reminder that is due, and wait for the next. */
export async function incidentStep(ctx: StepContext): Promise<StepResult> {
  const incident = await lockSubject(ctx, Incident)
  if (!incident) return { done: true, says: 'nothing: the incident was deleted' }
  const due = dueReminder(incident, ctx.now, ctx.minuteMs)
  if (due) await remind(ctx, incident, due)
  const next = nextReminder(incident, ctx.minuteMs)
  if (incident.resolved_at) return { done: true, says: 'nothing: the incident is resolved' }
  if (!next) return { done: false, says: 'an update: the incident has no reminder interval' }
  return { done: false, says: `the reminder at ${next.toISOString()}`, until: next }
}

async function remind(ctx: StepContext, incident: Incident, due: DueReminder): Promise<void> {
  const written = await claimEvent(ctx.tx, takeReminder(incident, due, ctx.now))
  const when = due.late ? `written late at ${ctx.now.toISOString()}${standsFor(due)}` : 'written'
  ctx.note('reminder', `reminder due ${due.due.toISOString()} ${written ? when : 'was there already'}`)
}
