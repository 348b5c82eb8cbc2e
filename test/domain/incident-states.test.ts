import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { type Action, actions, refusals, type Situation, verdictOn } from '../../src/domain/incidents/state-rules.ts'

const easy = {
  allow_reopening_closed_incidents: true,
  require_incident_ack_before_updates: false,
  require_resolution_reason: false,
}
const strict = {
  allow_reopening_closed_incidents: false,
  require_incident_ack_before_updates: true,
  require_resolution_reason: true,
}

type Row = [action: Action, open: string, openNotified: string, over: string, overNotified: string]

/** Open, open and acknowledged, resolved, resolved and acknowledged. */
const states = [
  { resolved: false, acknowledged: false },
  { resolved: false, acknowledged: true },
  { resolved: true, acknowledged: false },
  { resolved: true, acknowledged: true },
]

const withoutPolicies: Row[] = [
  ['acknowledge', 'allowed', 'existing', 'allowed', 'existing'],
  ['update: note', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['update: open status', 'allowed', 'allowed', 'resolved: no open status', 'resolved: no open status'],
  ['update: resolved with a reason', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['update: resolved without a reason', 'allowed', 'allowed', 'existing', 'existing'],
  ['change: fields', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['change: open status', 'allowed', 'allowed', 'resolved: no open status', 'resolved: no open status'],
  ['change: resolved', 'allowed', 'allowed', 'existing', 'existing'],
  ['change: affected items', 'allowed', 'allowed', 'resolved: nothing is affected', 'resolved: nothing is affected'],
  ['resolve: with a reason', 'allowed', 'allowed', 'existing', 'existing'],
  ['resolve: without a reason', 'allowed', 'allowed', 'existing', 'existing'],
  ['reopen', 'existing', 'existing', 'allowed', 'allowed'],
  ['impact: open', 'allowed', 'allowed', 'resolved: nothing is affected', 'resolved: nothing is affected'],
  ['impact: past', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['entry: edit', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['entry: edit over a turn', 'a turn is no edit', 'a turn is no edit', 'a turn is no edit', 'a turn is no edit'],
  ['entry: delete', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['entry: delete a turn', 'a turn is no edit', 'a turn is no edit', 'a turn is no edit', 'a turn is no edit'],
  ['report: write', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['report: publish', 'still open', 'still open', 'allowed', 'allowed'],
  ['report: unpublish', 'allowed', 'allowed', 'allowed', 'allowed'],
]

/** What strict policies change; everything else stays. */
const withPolicies: Row[] = [
  ['update: note', 'acknowledgement needed', 'allowed', 'allowed', 'allowed'],
  ['update: open status', 'acknowledgement needed', 'allowed', 'resolved: no open status', 'resolved: no open status'],
  ['change: open status', 'acknowledgement needed', 'allowed', 'resolved: no open status', 'resolved: no open status'],
  ['update: resolved without a reason', 'reason needed', 'reason needed', 'existing', 'existing'],
  ['change: resolved', 'reason needed', 'reason needed', 'existing', 'existing'],
  ['resolve: without a reason', 'reason needed', 'reason needed', 'existing', 'existing'],
  ['reopen', 'existing', 'existing', 'closed for good', 'closed for good'],
]

const verdicts = (action: Action, policies: Omit<Situation, 'resolved' | 'acknowledged'>) =>
  states.map((state) => verdictOn(action, { ...state, ...policies }))

test('the table speaks of every action', () => {
  expect(withoutPolicies.map(([action]) => action).sort()).toEqual([...actions].sort())
})

test.each(withoutPolicies)('%s', (action, ...expected) => {
  expect(verdicts(action, easy)).toEqual(expected)
  const stricter = withPolicies.find(([other]) => other === action)
  expect(verdicts(action, strict)).toEqual(stricter ? stricter.slice(1) : expected)
})

test.each([
  ['reopen', 'allow_reopening_closed_incidents'],
  ['update: note', 'require_incident_ack_before_updates'],
  ['change: open status', 'require_incident_ack_before_updates'],
  ['resolve: without a reason', 'require_resolution_reason'],
] as const)('%s listens to %s alone', (action, policy) => {
  const others = { ...strict, [policy]: easy[policy] }
  expect(verdicts(action, others)).toEqual(verdicts(action, easy))
})

test('docs/incident-states.md has the same table', () => {
  const page = readFileSync(new URL('../../docs/incident-states.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map((row) => row.slice(1, 4))
  const said = Object.fromEntries(rows.map(([action, open, over]) => [action, [open, over]]))
  const describeVerdict = (verdict: string) =>
    verdict in refusals ? refusals[verdict as keyof typeof refusals].code.replace('conflict', '409') : verdict
  const are = Object.fromEntries(
    actions.map((action) => {
      const [open, , over] = verdicts(action, easy).map(describeVerdict)
      return [action, [open, over]]
    }),
  )
  expect(said).toEqual(are)
})
