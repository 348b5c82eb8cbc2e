import { Incident } from '../../persistence/entities/incident.ts'
import { claimEvent } from '../../persistence/notifications.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { missedWords, takeReminder } from './reminder.ts'
import { type DueReminder, dueReminder, nextReminder } from './rules.ts'

/** One step of the process of an incident: writes the reminder that is due, and waits for the next reminder. */
export async function incidentStep(ctx: StepContext): Promise<StepResult> {
  const incident = await lockSubject(ctx, Incident)
  if (!incident) return { done: true, says: 'nothing: the incident was deleted' }
  const due = dueReminder(incident, ctx.now, ctx.minuteMs)
  if (due) await remind(ctx, incident, due)
  const next = nextReminder(incident, ctx.minuteMs)
  if (incident.resolved_at) return { done: true, says: 'nothing: the incident is resolved' }
  if (!next) return { done: false, says: 'a change of the incident: it has no reminder interval' }
  return { done: false, says: `the reminder at ${next.toISOString()}`, until: next }
}

async function remind(ctx: StepContext, incident: Incident, due: DueReminder): Promise<void> {
  const written = await claimEvent(ctx.tx, takeReminder(incident, due, ctx.now))
  const at = due.due.toISOString()
  if (!written) return ctx.note('reminder', `skipped the reminder due at ${at}: an earlier step wrote it`)
  const late = due.late ? `, late at ${ctx.now.toISOString()}${missedWords(due.count)}` : ''
  ctx.note('reminder', `wrote the reminder due at ${at}${late}`)
}
