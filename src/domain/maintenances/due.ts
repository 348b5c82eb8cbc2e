import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { isOver } from './rules.ts'

/** The due moments of a maintenance. Pure: the caller passes the time. */

/** The lead times of the page's reminders in minutes; null or empty for no reminder. */
export interface Leads {
  before_start: number[]
  before_end: number | null
  overrun: number | null
  after_end: number | null
}

type Window = Pick<
  Maintenance,
  'status' | 'scheduled_start_time' | 'scheduled_end_time' | 'auto_transition_enabled' | 'reminders_from'
>

export interface Move {
  to: 'in_progress' | 'completed'
  at: Date
}

/** The next automatic transition. */
export function nextMove(window: Window): Move | undefined {
  const { status, scheduled_start_time: start, scheduled_end_time: end, auto_transition_enabled } = window
  if (!auto_transition_enabled) return undefined
  if (status === 'scheduled' && start) return { to: 'in_progress', at: start }
  if (status === 'in_progress' && end) return { to: 'completed', at: end }
  return undefined
}

export type ReminderKind = 'before_start' | 'before_end' | 'overrun' | 'after_end'

export interface Reminder {
  kind: ReminderKind
  /** The first due moment. */
  due: Date
  /** How many due moments have passed: 1, or more after an outage. */
  count: number
  /** The minutes between the first due moment and the scheduled start or end. */
  minutes: number
}

interface Moment {
  at: number
  minutes: number
}

/** The moments of each kind after `reminders_from` and up to `until`, in order. */
function momentsOf(window: Window, leads: Leads, minuteMs: number, until: number): [ReminderKind, Moment[]][] {
  const from = window.reminders_from.getTime()
  const start = window.scheduled_start_time?.getTime()
  const end = window.scheduled_end_time?.getTime()
  const within = (reference: number | undefined, minutes: (number | null)[]) =>
    minutes
      .flatMap((count) =>
        reference === undefined || count === null ? [] : { at: reference + count * minuteMs, minutes: count },
      )
      .filter(({ at }) => at > from && at <= until)
      .sort((a, b) => a.at - b.at)
  const ago = (minutes: number | null) => minutes && -minutes
  const before = window.status === 'scheduled' ? within(start, leads.before_start.map(ago)) : []
  const ending = window.status === 'in_progress' ? within(end, [ago(leads.before_end)]) : []
  const after = isOver(window.status) ? [] : within(end, [leads.after_end])
  return [
    ['before_start', before],
    ['before_end', ending],
    ['after_end', after],
  ]
}

/** The first overrun reminder after `reminders_from`: one per interval after the scheduled end while in progress. */
function nextOverrun(window: Window, { overrun }: Leads, minuteMs: number): Moment | undefined {
  const end = window.scheduled_end_time?.getTime()
  if (window.status !== 'in_progress' || end === undefined || !overrun) return undefined
  const passed = Math.max(0, Math.floor((window.reminders_from.getTime() - end) / (overrun * minuteMs)))
  const minutes = (passed + 1) * overrun
  return { at: end + minutes * minuteMs, minutes }
}

export function nextReminder(window: Window, leads: Leads, minuteMs: number): Date | undefined {
  const moments = momentsOf(window, leads, minuteMs, Number.POSITIVE_INFINITY).flatMap(([, list]) => list)
  const overrun = nextOverrun(window, leads, minuteMs)
  const times = [...moments, ...(overrun ? [overrun] : [])].map(({ at }) => at)
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}

/** The reminders that are due by `until`, in order. One reminder replaces several missed reminders of a kind and has their count. */
export function dueReminders(window: Window, leads: Leads, minuteMs: number, until: Date): Reminder[] {
  const reminders = momentsOf(window, leads, minuteMs, until.getTime()).flatMap(([kind, list]): Reminder[] => {
    const [first] = list
    return first ? [{ kind, due: new Date(first.at), count: list.length, minutes: Math.abs(first.minutes) }] : []
  })
  const overrun = nextOverrun(window, leads, minuteMs)
  if (overrun && overrun.at <= until.getTime()) {
    const count = Math.floor((until.getTime() - overrun.at) / ((leads.overrun ?? 1) * minuteMs)) + 1
    reminders.push({ kind: 'overrun', due: new Date(overrun.at), count, minutes: overrun.minutes })
  }
  return reminders.sort((a, b) => a.due.getTime() - b.due.getTime())
}
