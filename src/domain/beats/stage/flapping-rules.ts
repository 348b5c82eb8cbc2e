import type { ThresholdPolicies } from '../definition/thresholds.ts'

/** Whether a stage changes more often than the flapping rule allows. Pure: no clock, no database. */

export type FlappingRule = NonNullable<ThresholdPolicies['flapping_rule']>

const byDefault: FlappingRule = { changes: 6, within_minutes: 60 }

export const flappingRuleOf = ({ flapping_rule: rule }: Pick<ThresholdPolicies, 'flapping_rule'>): FlappingRule =>
  rule ?? byDefault

export const spanOf = ({ within_minutes }: FlappingRule, minuteMs: number) => within_minutes * minuteMs

/**
 * The end of the flapping as of a moment, given the changes before, newest first. Null if the changes are within the rule.
 * A further change moves the end.
 */
export function flappingUntil(changes: Date[], at: Date, rule: FlappingRule, minuteMs: number): Date | null {
  const oneTooMany = changes[rule.changes]
  const until = oneTooMany && new Date(oneTooMany.getTime() + spanOf(rule, minuteMs))
  return until && until > at ? until : null
}

export const flappingInWords = (count: number, { within_minutes }: FlappingRule) =>
  `flapping: ${count} changes in ${within_minutes === 1 ? 'a minute' : `${within_minutes} minutes`}`
