import { describe, expect, test } from '@jest/globals'
import type { ThresholdPolicies } from '../../src/domain/beats/definition/thresholds.ts'
import {
  type CheckSummary,
  depthOf,
  meetsRuleOf,
  type Stage,
  stageFromResults,
  worstStage,
} from '../../src/domain/beats/stage/stage-rules.ts'

/** `..x` means success, success, failure, oldest first; a number is a success with this latency. */
const results = (...said: (string | number)[]): CheckSummary[] =>
  said
    .flatMap((one): (string | number)[] => (typeof one === 'number' ? [one] : [...one]))
    .map((one) => ({
      ok: one !== 'x',
      latency_ms: typeof one === 'number' ? one : one === 'x' ? null : 50,
      packet_loss: null,
      certificate_days: null,
    }))
    .reverse()

const regions = (...lists: CheckSummary[][]) => new Map(lists.map((list, index) => [`r${index}`, list]))

const three: ThresholdPolicies = { critical_rule: { consecutive_failures: 3 } }
const both: ThresholdPolicies = {
  warning_rule: { consecutive_failures: 2 },
  critical_rule: { consecutive_failures: 4 },
  recovery_rule: { consecutive_successes: 2 },
}
const window: ThresholdPolicies = { warning_rule: { failures_in_window: { failures: 2, checks: 5 } } }
const slow: ThresholdPolicies = { warning_rule: { latency_ms_over: 200 }, critical_rule: { consecutive_failures: 2 } }
const slower: ThresholdPolicies = { warning_rule: { latency_ms_over: 100 }, critical_rule: { latency_ms_over: 400 } }
const twice = { recovery_rule: { consecutive_successes: 2 } }
const either: ThresholdPolicies = { critical_rule: { consecutive_failures: 3, latency_ms_over: 1000 } }

describe('the stage by one region', () => {
  test.each([
    [three, null, '', null],
    [three, null, '.', 'healthy'],
    [three, null, 'x', null],
    [three, null, 'xx', null],
    [three, null, 'xxx', 'critical'],
    [three, 'healthy', 'xx.', 'healthy'],
    [three, 'healthy', '.xxx', 'critical'],
    [three, 'critical', 'xxx', 'critical'],
    [three, 'critical', 'xxx.', 'healthy'],
    [both, 'healthy', '..xx', 'warning'],
    [both, 'warning', 'xxxx', 'critical'],
    [both, 'warning', 'xx.', 'warning'],
    [both, 'warning', 'xx..', 'healthy'],
    [both, 'critical', 'xxxx.', 'critical'],
    [both, 'critical', 'xxxx.x.', 'critical'],
    [both, 'critical', 'xxxx..', 'healthy'],
    [window, 'healthy', 'x....', 'healthy'],
    [window, 'healthy', 'x..x.', 'warning'],
    [window, 'warning', 'x.x...', 'healthy'],
    [window, 'warning', 'xx..', 'warning'],
  ] as [ThresholdPolicies, Stage | null, string, Stage | null][])(
    'by %j from %s: %s is %s',
    (rules, from, said, to) => {
      expect(stageFromResults(rules, regions(results(said)), from)).toBe(to)
    },
  )

  test.each([
    [slow, 'healthy', [100, 201], 'warning'],
    [slow, 'healthy', [201, 200], 'healthy'],
    [slow, 'warning', [201, 300], 'warning'],
    [slow, 'warning', [201, 100], 'healthy'],
    [slow, 'critical', ['xx', 300], 'warning'],
    [slower, 'critical', [600, 200], 'warning'],
    [slower, 'critical', [600, 50], 'healthy'],
    [slower, 'critical', [600, 'x'], 'critical'],
    [{ ...slower, ...twice }, 'critical', [600, 200], 'critical'],
    [{ ...slower, ...twice }, 'critical', [600, 200, 50], 'critical'],
    [{ ...slower, ...twice }, 'critical', [600, 50, 200], 'warning'],
    [slow, 'critical', ['xx', 100], 'healthy'],
    [either, 'healthy', [1001], 'critical'],
    [either, 'healthy', ['xxx'], 'critical'],
  ] as [ThresholdPolicies, Stage, (string | number)[], Stage][])('by %j from %s: %j is %s', (rules, from, said, to) => {
    expect(stageFromResults(rules, regions(results(...said)), from)).toBe(to)
  })

  test.each([
    [{ warning_rule: { packet_loss_over: 10 } }, { packet_loss: 11 }, 'warning'],
    [{ warning_rule: { packet_loss_over: 10 } }, { packet_loss: 10 }, 'healthy'],
    [{ critical_rule: { certificate_days_under: 14 } }, { certificate_days: 13.9 }, 'critical'],
    [{ critical_rule: { certificate_days_under: 14 } }, { certificate_days: 14 }, 'healthy'],
  ] as [ThresholdPolicies, Partial<CheckSummary>, Stage][])('by %j: %j is %s', (rules, seen, to) => {
    expect(stageFromResults(rules, regions([{ ...results('.')[0]!, ...seen }]), 'healthy')).toBe(to)
  })
})

test.each([
  [slow, 'warning', 'x', false],
  [slow, 'warning', 201, true],
  [slow, 'critical', 'x', true],
  [slow, 'critical', 201, false],
  [slower, 'warning', 'x', true],
  [slower, 'warning', 50, false],
  [window, 'warning', 'x', true],
  [either, 'critical', 1001, true],
  [either, 'critical', '.', false],
  [three, 'warning', 'x', false],
] as [ThresholdPolicies, 'warning' | 'critical', string | number, boolean][])(
  'by %j the stage %s is shown by %j: %s',
  (rules, stage, one, shown) => expect(meetsRuleOf(rules, stage, results(one)[0]!)).toBe(shown),
)

describe('the stage if no rule counts failures', () => {
  const limits: ThresholdPolicies = { warning_rule: { latency_ms_over: 100 }, critical_rule: { latency_ms_over: 300 } }
  const expiring: ThresholdPolicies = { warning_rule: { certificate_days_under: 14 } }
  test.each([
    [limits, 'healthy', ['x'], 'critical'],
    [limits, null, ['x'], 'critical'],
    [limits, 'critical', ['x', 50], 'healthy'],
    [expiring, 'healthy', ['x'], 'warning'],
    [{ ...limits, critical_rule: { consecutive_failures: 2 } }, 'healthy', ['x'], 'healthy'],
    [
      { warning_rule: { latency_ms_over: 100, failures_in_window: { failures: 2, checks: 2 } } },
      'healthy',
      ['x'],
      'healthy',
    ],
    [{ critical_rule: { latency_ms_over: 100, regions_failing: 2 } }, 'healthy', ['x'], 'healthy'],
  ] as [ThresholdPolicies, Stage | null, (string | number)[], Stage][])(
    'the rules %j change %s after a failed check: %j is %s',
    (rules, from, said, to) => {
      expect(stageFromResults(rules, regions(results(...said)), from)).toBe(to)
    },
  )
})

describe('the stage by several regions', () => {
  const both2: ThresholdPolicies = {
    warning_rule: { consecutive_failures: 1 },
    critical_rule: { consecutive_failures: 1, regions_failing: 2 },
  }
  const two: ThresholdPolicies = { critical_rule: { consecutive_failures: 2, regions_failing: 2 } }
  test.each([
    [three, 'healthy', ['...', 'xxx'], 'critical'],
    [three, 'critical', ['...', 'xxx'], 'critical'],
    [three, 'critical', ['...', 'xxx.'], 'healthy'],
    [three, 'healthy', ['xx', 'xx'], 'healthy'],
    [two, 'healthy', ['xx', '..'], 'healthy'],
    [two, 'healthy', ['xx', 'xx'], 'critical'],
    [two, 'critical', ['xx', 'xx.'], 'critical'],
    [two, 'critical', ['xx.', 'xx.'], 'healthy'],
    [two, 'critical', ['xx.', ''], 'healthy'],
    [both2, 'critical', ['xx', 'xx.'], 'warning'],
    [both2, 'critical', ['xx', 'x'], 'critical'],
    [both2, 'warning', ['xx', '..'], 'warning'],
  ] as [ThresholdPolicies, Stage, string[], Stage][])('by %j from %s: %j is %s', (rules, from, said, to) => {
    expect(stageFromResults(rules, regions(...said.map((one) => results(one))), from)).toBe(to)
  })
})

test.each([
  [three, 3],
  [both, 4],
  [window, 5],
  [slow, 2],
  [{ warning_rule: { latency_ms_over: 1 } }, 1],
] as [ThresholdPolicies, number][])('the rules %j need %s results', (rules, depth) => {
  expect(depthOf(rules)).toBe(depth)
})

test.each([
  [[], null],
  [[null, null], null],
  [[null, 'healthy'], 'healthy'],
  [['healthy', 'warning', null], 'warning'],
  [['critical', 'warning'], 'critical'],
] as [(Stage | null)[], Stage | null][])('the worst stage of %j is %s', (members, stage) => {
  expect(worstStage(members)).toBe(stage)
})
