import type { ThresholdPolicies } from '../definition/thresholds.ts'

/** Whether a stage changes too often for anybody to follow. Pure: no clock, no database. */

export type FlappingRule = NonNullable<ThresholdPolicies['flapping_rule']>

const otherwise: FlappingRule = { changes: 6, within_minutes: 60 }

export const flappingRuleOf = ({ flapping_rule: said }: Pick<ThresholdPolicies, 'flapping_rule'>): FlappingRule =>
  said ?? otherwise

export const spanOf = ({ within_minutes }: FlappingRule, minuteMs: number) => within_minutes * minuteMs

/**
 * Until when it flaps, seen from a moment: the changes before that, newest first, are more than a page bears. It is
 * calm again from then on, unless it changes once more.
 */
export function flappingUntil(changes: Date[], at: Date, rule: FlappingRule, minuteMs: number): Date | null {
  const oneTooMany = changes[rule.changes]
  const until = oneTooMany && new Date(oneTooMany.getTime() + spanOf(rule, minuteMs))
  return until && until > at ? until : null
}

export const flappingInWords = (count: number, { within_minutes }: FlappingRule) =>
  `flapping: ${count} changes in ${within_minutes === 1 ? 'a minute' : `${within_minutes} minutes`}`
