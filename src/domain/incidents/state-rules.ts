import type { ProblemCode } from '../kernel/errors.ts'
import type { Settings } from '../settings/schema.ts'

/** The actions that are allowed in each state of an incident: one table, shown in docs/incident-states.md. */

/** The actions on an incident whose permission depends on its state. A turn is an entry that resolves or reopens the incident. */
export type Action =
  | 'acknowledge'
  | 'update: note'
  | 'update: open status'
  | 'update: resolved with a reason'
  | 'update: resolved without a reason'
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

/** The code and the message of each refusal. */
export const refusals = {
  'resolved: no open status': {
    code: 'conflict',
    message: 'The incident is resolved: reopen it to give it an open status.',
  },
  'resolved: nothing is affected': {
    code: 'conflict',
    message: 'The incident is resolved and affects no items: only an impact with an `end_time` can be added.',
  },
  'acknowledgement needed': {
    code: 'conflict',
    message: 'The policy of this page requires an acknowledgement before updates and before a new open status.',
  },
  'reason needed': {
    code: 'invalid_request',
    message: 'the policy of this page requires a resolution_message to resolve an incident',
  },
  'closed for good': {
    code: 'conflict',
    message: 'The policy of this page does not allow reopening a resolved incident.',
  },
  'a turn is no edit': {
    code: 'conflict',
    message: 'This entry or this edit resolves or reopens the incident: use the operations that resolve and reopen.',
  },
  'still open': {
    code: 'conflict',
    message: 'The incident is open: resolve it before its report is published.',
  },
} as const satisfies Record<string, { code: ProblemCode; message: string }>
type Refusal = keyof typeof refusals

/** `existing`: the state is already the wanted one, and the answer is the stored record. */
export type Verdict = 'allowed' | 'existing' | Refusal

type Rule = [when: (situation: Situation) => boolean, verdict: Verdict]

const always = () => true
const resolved = (s: Situation) => s.resolved
const open = (s: Situation) => !s.resolved
const acknowledged = (s: Situation) => s.acknowledged
/** The policy applies to open incidents only: resolving and notes on resolved incidents need no acknowledgement. */
const unacknowledged = (s: Situation) => s.require_incident_ack_before_updates && open(s) && !s.acknowledged
const closed = (s: Situation) => s.resolved && !s.allow_reopening_closed_incidents
const unexplained = (s: Situation) => s.require_resolution_reason

/** The first rule of an action that applies decides; without one the action is allowed. */
const rules: Record<Action, Rule[]> = {
  acknowledge: [[acknowledged, 'existing']],
  'update: note': [[unacknowledged, 'acknowledgement needed']],
  'update: open status': [
    [resolved, 'resolved: no open status'],
    [unacknowledged, 'acknowledgement needed'],
  ],
  // On a resolved incident, an update with a reason is a note.
  'update: resolved with a reason': [],
  'update: resolved without a reason': [
    [resolved, 'existing'],
    [unexplained, 'reason needed'],
  ],
  'change: fields': [],
  'change: open status': [
    [resolved, 'resolved: no open status'],
    [unacknowledged, 'acknowledgement needed'],
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
