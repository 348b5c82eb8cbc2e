import { Incident } from '../../persistence/entities/incident.ts'
import { claimEvent } from '../../persistence/notifications.ts'
import { firstScanAt } from '../kernel/processes.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { settingsOf } from '../settings/stored.ts'
import { alertHours, writeDueAlert } from './long-running.ts'
import { missedWords, takeReminder } from './reminder.ts'
import { type DueReminder, dueReminder, longRunningAt, nextReminder } from './rules.ts'

/** One step of the process of an incident: writes the reminder that is due, and waits for the next reminder. */
export async function incidentStep(ctx: StepContext): Promise<StepResult> {
  const incident = await lockSubject(ctx, Incident)
  if (!incident) return { done: true, says: 'nothing: the incident was deleted' }
  const due = dueReminder(incident, ctx.now, ctx.minuteMs)
  if (due) await remind(ctx, incident, due)
  if (incident.resolved_at) return { done: true, says: 'nothing: the incident is resolved' }
  const hours = alertHours(await settingsOf(ctx.tx))
  const alerted = writeDueAlert(ctx, incident, hours)
  if (alerted) ctx.note('alert', `wrote the alert due at ${alerted.toISOString()}: no update for ${hours} h`)
  return waitFor(nextReminder(incident, ctx.minuteMs), longRunningAt(incident, hours, ctx.minuteMs))
}

function waitFor(reminder: Date | undefined, alert: Date | undefined): StepResult {
  if (alert && (!reminder || alert < reminder)) {
    return { done: false, says: `the alert of a long incident at ${alert.toISOString()}`, until: alert }
  }
  if (reminder) return { done: false, says: `the reminder at ${reminder.toISOString()}`, until: reminder }
  return { done: false, says: 'a change of the incident: it has no reminder interval' }
}

async function remind(ctx: StepContext, incident: Incident, due: DueReminder): Promise<void> {
  const written = await claimEvent(ctx.tx, takeReminder(incident, due, ctx.now), firstScanAt(ctx.now))
  const at = due.due.toISOString()
  if (written?.state === 'queued') ctx.wake({ kind: 'notification', id: written.id }, '')
  if (!written) return ctx.note('reminder', `skipped the reminder due at ${at}: an earlier step wrote it`)
  const late = due.late ? `, late at ${ctx.now.toISOString()}${missedWords(due.count)}` : ''
  ctx.note('reminder', `wrote the reminder due at ${at}${late}`)
}
