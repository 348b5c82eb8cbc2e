import type { Incident } from '../../persistence/entities/incident.ts'
import type { ProblemCode } from '../kernel/errors.ts'
import { isLate } from '../kernel/lateness-rules.ts'
import type { Settings } from '../settings/schema.ts'

/** Everything about incidents that can be decided without a database or a clock. */

type Reminding = Pick<Incident, 'resolved_at' | 'reminder_interval_minutes' | 'reminders_from' | 'reminded_until'>

/** The next moment a reminder is due, or nothing for an incident that is over or has no interval. */
export function nextReminder(incident: Reminding, minuteMs: number): Date | undefined {
  if (incident.resolved_at || !incident.reminder_interval_minutes) return undefined
  const last = Math.max(incident.reminders_from.getTime(), incident.reminded_until?.getTime() ?? 0)
  return new Date(last + incident.reminder_interval_minutes * minuteMs)
}

export interface DueReminder {
  /** The first moment that was missed, or the only one. */
  due: Date
  /** How many due moments have come: 1, or more after a time down. */
  count: number
  /** The last of them: the next reminder counts from here. */
  until: Date
  late: boolean
}

/** The reminder that is due now. Several missed ones are one that says how many. */
export function dueReminder(incident: Reminding, now: Date, minuteMs: number): DueReminder | undefined {
  const due = nextReminder(incident, minuteMs)
  if (!due || due > now) return undefined
  const interval = (incident.reminder_interval_minutes ?? 0) * minuteMs
  const count = Math.floor((now.getTime() - due.getTime()) / interval) + 1
  return {
    due,
    count,
    until: new Date(due.getTime() + (count - 1) * interval),
    late: count > 1 || isLate(now, due, minuteMs),
  }
}

interface Told {
  started_at: Date
  /** Of the newest entry of the timeline: each is of the time of the one before it, or later. */
  newest_entry_at: Date | undefined
}

/** Resolving is refused outside the time that the incident can have ended in. */
export function resolvedAtProblem(
  { started_at, newest_entry_at: newest }: Told,
  resolvedAt: Date,
  now: Date,
): string | undefined {
  if (resolvedAt < started_at) return 'must not lie before the start of the incident'
  if (newest && resolvedAt < newest) {
    return `must not lie before the newest entry of the timeline, which is of ${newest.toISOString()}`
  }
  if (isFuture(resolvedAt, now)) return 'must not lie in the future'
  return undefined
}

/** A little more than now is a client whose clock is ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

export function isFuture(moment: Date, now: Date): boolean {
  return moment.getTime() > now.getTime() + CLOCK_TOLERANCE_MS
}

/** An impact that began after the moment at which it is said to end never was. */
export function impactEnd({ start_time }: { start_time: Date }, at: Date): Date {
  return start_time > at ? start_time : at
}

/** Why an impact cannot have these times. */
export function impactProblem(
  { start_time, end_time }: { start_time: Date; end_time: Date | null },
  now: Date,
): { path: string; message: string } | undefined {
  if (isFuture(start_time, now)) return { path: 'start_time', message: 'must not lie in the future' }
  if (!end_time) return undefined
  if (isFuture(end_time, now)) return { path: 'end_time', message: 'must not lie in the future' }
  if (end_time < start_time) return { path: 'end_time', message: 'must not lie before the start' }
  return undefined
}

/** What somebody wants to do with an incident, as far as its state has a say in it. */
export type Action =
  | 'acknowledge'
  | 'update: note'
  | 'update: open status'
  | 'update: resolved'
  | 'change: fields'
  | 'change: open status'
  | 'change: resolved'
  | 'change: affected items'
  | 'resolve: with a reason'
  | 'resolve: without a reason'
  | 'reopen'
  | 'impact: open'
  | 'impact: past'
  | 'entry: edit'
  | 'entry: edit over a turn'
  | 'entry: delete'
  | 'entry: delete a turn'
  | 'report: write'
  | 'report: publish'
  | 'report: unpublish'

type Policies = Pick<
  Settings,
  'allow_reopening_closed_incidents' | 'require_incident_ack_before_updates' | 'require_resolution_reason'
>
export interface Situation extends Policies {
  resolved: boolean
  acknowledged: boolean
}

/** How each refusal is told: with which code, and in which words. */
export const refusals = {
  'resolved: no open status': {
    code: 'conflict',
    message: 'The incident is resolved: reopen it to give it an open status.',
  },
  'resolved: nothing is affected': {
    code: 'conflict',
    message: 'The incident is resolved: nothing is affected any more, only an impact with an `end_time` can be added.',
  },
  'acknowledgement needed': {
    code: 'conflict',
    message: 'The policy of this page asks for an acknowledgement before updates and another open status.',
  },
  'reason needed': {
    code: 'invalid_request',
    message: 'the policy of this page asks for a resolution_message to resolve',
  },
  'closed for good': { code: 'conflict', message: 'The policy of this page keeps resolved incidents closed.' },
  'a turn is no edit': {
    code: 'conflict',
    message:
      'This entry resolves or opens the incident, or would: resolving and reopening are operations of their own.',
  },
  'still open': {
    code: 'conflict',
    message: 'The incident is not over: its report can be published once it is resolved.',
  },
} as const satisfies Record<string, { code: ProblemCode; message: string }>
type Refusal = keyof typeof refusals

/** `existing`: it is so already, nothing is done, and the answer is what is stored. */
export type Verdict = 'allowed' | 'existing' | Refusal

type Rule = [when: (situation: Situation) => boolean, verdict: Verdict]

const always = () => true
const resolved = (s: Situation) => s.resolved
const open = (s: Situation) => !s.resolved
const acknowledged = (s: Situation) => s.acknowledged
/** Only what goes on can wait for somebody to be on it: resolving and what is told afterwards do not. */
const unheard = (s: Situation) => s.require_incident_ack_before_updates && open(s) && !s.acknowledged
const closed = (s: Situation) => s.resolved && !s.allow_reopening_closed_incidents
const unexplained = (s: Situation) => s.require_resolution_reason

/** The state rules: of each action the first that applies, and where none does it is allowed. */
const rules: Record<Action, Rule[]> = {
  acknowledge: [[acknowledged, 'existing']],
  'update: note': [[unheard, 'acknowledgement needed']],
  'update: open status': [
    [resolved, 'resolved: no open status'],
    [unheard, 'acknowledgement needed'],
  ],
  'update: resolved': [],
  'change: fields': [],
  'change: open status': [
    [resolved, 'resolved: no open status'],
    [unheard, 'acknowledgement needed'],
  ],
  'change: resolved': [
    [resolved, 'existing'],
    [unexplained, 'reason needed'],
  ],
  'change: affected items': [[resolved, 'resolved: nothing is affected']],
  'resolve: with a reason': [[resolved, 'existing']],
  'resolve: without a reason': [
    [resolved, 'existing'],
    [unexplained, 'reason needed'],
  ],
  reopen: [
    [open, 'existing'],
    [closed, 'closed for good'],
  ],
  'impact: open': [[resolved, 'resolved: nothing is affected']],
  'impact: past': [],
  'entry: edit': [],
  'entry: edit over a turn': [[always, 'a turn is no edit']],
  'entry: delete': [],
  'entry: delete a turn': [[always, 'a turn is no edit']],
  'report: write': [],
  'report: publish': [[open, 'still open']],
  'report: unpublish': [],
}

export const actions = Object.keys(rules) as Action[]

export function verdictOn(action: Action, situation: Situation): Verdict {
  return rules[action].find(([when]) => when(situation))?.[1] ?? 'allowed'
}
