import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { FieldError } from '../kernel/errors.ts'
import { automaticText } from '../vocabulary/automatic-text-rules.ts'

/** Rules of maintenances. Pure: no database, no clock. */

export const statuses = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export type Transition = Exclude<Status, 'scheduled'>

/** The default messages of the entries of transitions. */
export const defaultMessages: Record<Transition, string> = {
  in_progress: automaticText('in_progress'),
  completed: automaticText('completed'),
  cancelled: automaticText('cancelled'),
}

export const isOver = (status: string) => status === 'completed' || status === 'cancelled'

/** `existing`: the maintenance already has the status. */
export type Verdict = 'allowed' | 'existing' | 'refused'

/** A maintenance moves only forward, or to cancelled before completed. */
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
    return [{ path: 'scheduled_end_time', message: 'must lie after the scheduled start' }]
  }
  if (!auto_transition_enabled || (start && end)) return []
  const missing = start ? 'scheduled_end_time' : 'scheduled_start_time'
  return [
    {
      path: missing,
      message:
        'is required, because auto_transition_enabled is on: the maintenance starts and completes at its scheduled times',
    },
  ]
}

/** Refuses a window in the past: the maintenance would start and complete at once, with notifications of both. */
export function pastProblems(
  { auto_transition_enabled, scheduled_end_time: end }: Partial<Schedule>,
  now: Date,
): FieldError[] {
  if (!auto_transition_enabled || !end || end > now) return []
  return [
    {
      path: 'scheduled_end_time',
      message: 'lies in the past: use /maintenances/backfill for a maintenance of the past',
    },
  ]
}

/** Whether a change names a time other than the stored time. */
export function isMoved(stored: Date | null, wanted: Date | null | undefined): boolean {
  return wanted !== undefined && wanted?.getTime() !== stored?.getTime()
}

/** Why the schedule cannot be changed: a start or an end that has happened stays. */
export function rescheduleProblem(
  { status, scheduled_start_time, scheduled_end_time }: Pick<Maintenance, 'status'> & Schedule,
  wanted: { start?: Date | null; end?: Date | null },
): string | undefined {
  const start = isMoved(scheduled_start_time, wanted.start)
  const end = isMoved(scheduled_end_time, wanted.end)
  if ((start || end) && isOver(status)) return `The maintenance is ${status}: its window can no longer be moved.`
  if (start && status === 'in_progress') return 'The maintenance has started: only its scheduled end can be moved.'
  return undefined
}

type Recurring = Pick<MaintenanceSeries, 'id' | 'recurrence_rule' | 'timezone' | 'recurrence_end_time'>

interface Recurrence {
  recurrence_rule?: string
  recurrence_timezone?: string
  recurrence_end_time?: string | null
}

/** A window may repeat the recurrence fields of its series, but not change them. */
export function recurrenceProblems(series: Recurring, request: Recurrence): FieldError[] {
  const end = request.recurrence_end_time === undefined ? undefined : Date.parse(request.recurrence_end_time ?? '')
  const differs: [path: keyof Recurrence, boolean][] = [
    ['recurrence_rule', request.recurrence_rule !== undefined && request.recurrence_rule !== series.recurrence_rule],
    [
      'recurrence_timezone',
      request.recurrence_timezone !== undefined && request.recurrence_timezone !== series.timezone,
    ],
    ['recurrence_end_time', end !== undefined && !Object.is(end, series.recurrence_end_time?.getTime() ?? Number.NaN)],
  ]
  const message = `belongs to series ${series.id}: change the series instead`
  return differs.filter(([, wrong]) => wrong).map(([path]) => ({ path, message }))
}

type Stage = { id: number; display_order: number; archived: boolean }

/** The stage of a status: scheduled is the first stage, cancelled the last, and completed the last but one. */
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
