import type { ProblemCode } from '../kernel/errors.ts'
import type { Settings } from '../settings/schema.ts'

/** What may be done with an incident in which state: one table, drawn in docs/incident-states.md. */

/** What somebody wants to do with an incident, as far as its state has a say in it. */
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
  // Who gives a reason on a resolved incident writes a note.
  'update: resolved with a reason': [],
  'update: resolved without a reason': [
    [resolved, 'existing'],
    [unexplained, 'reason needed'],
  ],
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
