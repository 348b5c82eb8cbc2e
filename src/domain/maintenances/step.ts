import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { writeUpdate } from './add-update.ts'
import { type Leads, type Move, nextMove, nextReminder, type ReminderKind } from './due.ts'
import { leadsOf, remind } from './reminders.ts'
import { isOver } from './rules.ts'

/** One step of the process of a maintenance: does everything that is due, in order, and waits for the next due moment. */
export async function maintenanceStep(ctx: StepContext): Promise<StepResult> {
  const maintenance = await lockSubject(ctx, Maintenance)
  if (!maintenance) return { done: true, says: 'nothing: the maintenance was deleted' }
  const leads = await leadsOf(ctx.tx)
  const scheduleSetAt = maintenance.updated_at
  for (;;) {
    const move = nextMove(maintenance)
    const due = move && move.at <= ctx.now ? move : undefined
    writeReminders(ctx, maintenance, leads, due?.at ?? ctx.now)
    if (!due) break
    await applyMove(ctx, maintenance, due, scheduleSetAt)
  }
  if (isOver(maintenance.status)) return { done: true, says: `nothing: the maintenance is ${maintenance.status}` }
  return waitFor(maintenance, leads, ctx.minuteMs)
}

const places: Record<ReminderKind, string> = {
  before_start: 'before the scheduled start',
  before_end: 'before the scheduled end',
  overrun: 'after the scheduled end',
  after_end: 'after the scheduled end',
}

function writeReminders(ctx: StepContext, maintenance: Maintenance, leads: Leads, until: Date): void {
  for (const { kind, due, count, minutes } of remind(ctx, maintenance, leads, until)) {
    const what = kind === 'overrun' ? 'overrun reminder' : kind === 'after_end' ? 'alert' : 'reminder'
    const missed = count > 1 ? ` (one reminder instead of ${count} missed ones)` : ''
    const when = `${minutes} min ${places[kind]}, at ${due.toISOString()}`
    ctx.note('reminder', `wrote the ${what} due ${when}${lateness(ctx, due)}${missed}`)
  }
}

const lateness = ({ now, minuteMs }: StepContext, due: Date) =>
  isLate(now, due, minuteMs) ? `, late at ${now.toISOString()}` : ''

async function applyMove(ctx: StepContext, maintenance: Maintenance, { to, at }: Move, asked: Date): Promise<void> {
  const { late } = await writeUpdate(ctx, maintenance, { status: to, due: at, asked, notify: true })
  ctx.reached('turn taken')
  const [what, moment] = to === 'in_progress' ? ['started', 'start'] : ['completed', 'end']
  const when = late ? `, late at ${ctx.now.toISOString()}` : ''
  ctx.note('schedule', `${what} the maintenance at its scheduled ${moment}, ${at.toISOString()}${when}`)
}

function waitFor(maintenance: Maintenance, leads: Leads, minuteMs: number): StepResult {
  const move = nextMove(maintenance)
  const reminder = nextReminder(maintenance, leads, minuteMs)
  if (move && !(reminder && reminder < move.at)) {
    const what = move.to === 'in_progress' ? 'start' : 'end'
    return { done: false, says: `the scheduled ${what} at ${move.at.toISOString()}`, until: move.at }
  }
  if (reminder) return { done: false, says: `the reminder at ${reminder.toISOString()}`, until: reminder }
  return { done: false, says: 'a change of the maintenance: no transition or reminder is due' }
}
