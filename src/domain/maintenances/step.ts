import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { writeUpdate } from './add-update.ts'
import { type Leads, type Move, nextMove, nextReminder, type ReminderKind } from './due.ts'
import { leadsOf, remind } from './reminders.ts'
import { isOver } from './rules.ts'

/** What the process of a maintenance does when it looks: whatever has come due, in its order, and wait for the next. */
export async function maintenanceStep(ctx: StepContext): Promise<StepResult> {
  const maintenance = await lockSubject(ctx, Maintenance)
  if (!maintenance) return { done: true, says: 'nothing: the maintenance was deleted' }
  const watch = await leadsOf(ctx.tx)
  const asked = maintenance.updated_at
  for (;;) {
    const move = nextMove(maintenance)
    const due = move && move.at <= ctx.now ? move : undefined
    writeReminders(ctx, maintenance, watch, due?.at ?? ctx.now)
    if (!due) break
    await follow(ctx, maintenance, due, asked)
  }
  if (isOver(maintenance.status)) return { done: true, says: `nothing: the maintenance is ${maintenance.status}` }
  return waitFor(maintenance, watch, ctx.minuteMs)
}

const names: Record<ReminderKind, string> = {
  before_start: 'the reminder before the start',
  before_end: 'the reminder before the end',
  overrun: 'the overrun reminder',
  after_end: 'the alert after the end',
}

function writeReminders(ctx: StepContext, maintenance: Maintenance, watch: Leads, until: Date): void {
  for (const { kind, due, count } of remind(ctx, maintenance, watch, until)) {
    const missed = count > 1 ? `, standing for ${count} that were missed` : ''
    ctx.note('reminder', `${names[kind]} due ${due.toISOString()} written${lateness(ctx, due)}${missed}`)
  }
}

const lateness = ({ now, minuteMs }: StepContext, due: Date) =>
  isLate(now, due, minuteMs) ? ` late at ${now.toISOString()}` : ''

async function follow(ctx: StepContext, maintenance: Maintenance, { to, at }: Move, asked: Date): Promise<void> {
  const { late } = await writeUpdate(ctx, maintenance, { status: to, due: at, asked, notify: true })
  ctx.reached('turn taken')
  const what = to === 'in_progress' ? 'started' : 'completed'
  const when = late ? ` late at ${ctx.now.toISOString()}` : ''
  ctx.note('schedule', `${what} by its schedule, due ${at.toISOString()}${when}`)
}

function waitFor(maintenance: Maintenance, leads: Leads, minuteMs: number): StepResult {
  const move = nextMove(maintenance)
  const reminder = nextReminder(maintenance, leads, minuteMs)
  if (move && !(reminder && reminder < move.at)) {
    const what = move.to === 'in_progress' ? 'start' : 'end'
    return { done: false, says: `its ${what} at ${move.at.toISOString()}`, until: move.at }
  }
  if (reminder) return { done: false, says: `the reminder at ${reminder.toISOString()}`, until: reminder }
  return { done: false, says: 'a change: nothing is due by itself' }
}
