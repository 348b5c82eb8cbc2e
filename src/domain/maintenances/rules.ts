import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { FieldError } from '../kernel/errors.ts'

/** Everything about maintenances that can be decided without a database or a clock. */

export const statuses = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export type Turn = Exclude<Status, 'scheduled'>

/** What the entry of a turn says where nothing else was prepared for it. */
export const turnWords: Record<Turn, string> = {
  in_progress: 'This maintenance has started.',
  completed: 'This maintenance has been completed.',
  cancelled: 'This maintenance has been cancelled.',
}

export const isOver = (status: string) => status === 'completed' || status === 'cancelled'

/** `existing`: it is so already and nothing is done. */
export type Verdict = 'allowed' | 'existing' | 'refused'

/** Only forward, or to cancelled before it is completed. */
const moves: Record<Status, Record<Status, Verdict>> = {
  scheduled: { scheduled: 'existing', in_progress: 'allowed', completed: 'allowed', cancelled: 'allowed' },
  in_progress: { scheduled: 'refused', in_progress: 'existing', completed: 'allowed', cancelled: 'allowed' },
  completed: { scheduled: 'refused', in_progress: 'refused', completed: 'existing', cancelled: 'refused' },
  cancelled: { scheduled: 'refused', in_progress: 'refused', completed: 'refused', cancelled: 'existing' },
}

export const verdictOn = (from: string, to: Status): Verdict => moves[from as Status][to]

type Schedule = Pick<Maintenance, 'scheduled_start_time' | 'scheduled_end_time' | 'auto_transition_enabled'>

/** Why a window cannot have these times. */
export function scheduleProblems(window: Schedule): FieldError[] {
  const { scheduled_start_time: start, scheduled_end_time: end, auto_transition_enabled } = window
  if (start && end && end <= start) {
    return [{ path: 'scheduled_end_time', message: 'must lie behind the scheduled start' }]
  }
  if (!auto_transition_enabled || (start && end)) return []
  const missing = start ? 'scheduled_end_time' : 'scheduled_start_time'
  return [{ path: missing, message: 'is needed to start and to complete by itself: auto_transition_enabled is on' }]
}

/** A window that is over would start and complete at once, and tell people of both. */
export function pastProblems(
  { auto_transition_enabled, scheduled_end_time: end }: Omit<Schedule, 'scheduled_start_time'>,
  now: Date,
): FieldError[] {
  if (!auto_transition_enabled || !end || end > now) return []
  return [{ path: 'scheduled_end_time', message: 'lies in the past: /maintenances/backfill tells of what is over' }]
}

/** Whether a change says another moment than the one that is kept. */
export function isMoved(kept: Date | null, said: Date | null | undefined): boolean {
  return said !== undefined && said?.getTime() !== kept?.getTime()
}

/** Which part of the schedule can still be changed: what has happened is not planned any more. */
export function rescheduleProblem(
  { status, scheduled_start_time, scheduled_end_time }: Pick<Maintenance, 'status'> & Schedule,
  said: { start?: Date | null; end?: Date | null },
): string | undefined {
  const start = isMoved(scheduled_start_time, said.start)
  const end = isMoved(scheduled_end_time, said.end)
  if ((start || end) && isOver(status)) return `The maintenance is ${status}: its window cannot be moved any more.`
  if (start && status === 'in_progress') return 'The maintenance has started: only its end can still be moved.'
  return undefined
}

type Recurring = Pick<MaintenanceSeries, 'id' | 'recurrence_rule' | 'timezone' | 'recurrence_end_time'>

interface Recurrence {
  recurrence_rule?: string
  recurrence_timezone?: string
  recurrence_end_time?: string | null
}

/** What a window may say of its series: what the series says itself. */
export function recurrenceProblems(series: Recurring, said: Recurrence): FieldError[] {
  const end = said.recurrence_end_time === undefined ? undefined : Date.parse(said.recurrence_end_time ?? '')
  const differs: [path: keyof Recurrence, boolean][] = [
    ['recurrence_rule', said.recurrence_rule !== undefined && said.recurrence_rule !== series.recurrence_rule],
    ['recurrence_timezone', said.recurrence_timezone !== undefined && said.recurrence_timezone !== series.timezone],
    ['recurrence_end_time', end !== undefined && !Object.is(end, series.recurrence_end_time?.getTime() ?? Number.NaN)],
  ]
  const message = `is that of series ${series.id}, and changed there`
  return differs.filter(([, wrong]) => wrong).map(([path]) => ({ path, message }))
}

type Stage = { id: number; display_order: number; archived: boolean }

/** The stage that goes with a status: scheduled is the first, cancelled the last, and completed comes before that. */
export function stageOf<S extends Stage>(stages: S[], status: Status, first: S | undefined): S | undefined {
  const known = stages.filter((stage) => !stage.archived).sort((a, b) => a.display_order - b.display_order)
  const at: Record<Status, S | undefined> = {
    scheduled: first,
    in_progress: known.at(1),
    completed: known.at(-2),
    cancelled: known.at(-1),
  }
  return at[status]
}
