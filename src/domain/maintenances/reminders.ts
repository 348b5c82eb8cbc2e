import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from '../kernel/context.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { minutesIn } from '../settings/rules.ts'
import type { Settings } from '../settings/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { dueReminders, type Leads, type Reminder } from './due.ts'

export async function leadsOf(tx: EntityManager): Promise<Leads> {
  return leadsIn(await settingsOf(tx))
}

function leadsIn(settings: Settings): Leads {
  const alert = settings.notify_on_long_running_maintenances
  return {
    before_start: minutesIn(settings.maintenance_reminder_pre_start_intervals) ?? [],
    before_end: settings.maintenance_reminder_pre_end_minutes,
    overrun: settings.maintenance_reminder_overrun_interval_minutes,
    after_end: alert ? settings.long_running_maintenance_after_end_hours * 60 : null,
  }
}

/** Writes the notifications of the reminders that are due by `until`, each once. Returns the reminders. */
export function remind(work: WorkContext, maintenance: Maintenance, leads: Leads, until: Date): Reminder[] {
  const due = dueReminders(maintenance, leads, work.minuteMs, until)
  for (const reminder of due) work.events.push(eventOf(work, maintenance, reminder))
  if (due.length > 0) maintenance.reminders_from = until
  return due
}

const events = {
  before_start: { key: 'maintenance.reminder', natural: 'start' },
  before_end: { key: 'maintenance.reminder', natural: 'end' },
  overrun: { key: 'maintenance.overrun', natural: 'overrun' },
  after_end: { key: 'maintenance.overrun', natural: 'after-end' },
} as const

function eventOf(
  { pageId, now, minuteMs }: WorkContext,
  maintenance: Maintenance,
  { kind, due, count, minutes }: Reminder,
): NewEvent {
  const { key, natural } = events[kind]
  const late = count > 1 || isLate(now, due, minuteMs)
  return {
    page_id: pageId,
    key,
    natural_key: `maintenance:${maintenance.id}:${natural}:${due.toISOString()}`,
    subject_kind: 'maintenance',
    subject_id: maintenance.id,
    due_at: due,
    created_at: now,
    late,
    missed: late ? count : 0,
    withheld: null,
    data: { reminder: kind, minutes, status: maintenance.status },
  }
}

/** Before a change of the window: writes the reminders that are due and that the process has not written yet. */
export async function writeDueReminders(ctx: Context, maintenance: Maintenance): Promise<void> {
  remind(ctx, maintenance, await leadsOf(ctx.tx), ctx.now)
}

/** Applies changed lead times from now on: a due moment in the past writes no reminder. */
export async function applyLeads(ctx: Context, before: Settings, after: Settings): Promise<void> {
  const [was, is] = [leadsIn(before), leadsIn(after)]
  if (JSON.stringify(was) === JSON.stringify(is)) return
  const reason =
    was.after_end === is.after_end
      ? 'a change of the lead times of reminders in the settings'
      : 'a change of the settings of long-running maintenances'
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
  for (const maintenance of await ctx.tx.find(Maintenance, { ended_at: null }, locked)) {
    remind(ctx, maintenance, was, ctx.now)
    maintenance.reminders_from = ctx.now
    ctx.wake({ kind: 'maintenance', id: maintenance.id }, reason)
  }
}
