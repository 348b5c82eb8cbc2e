import { type Stage, stages } from '../definition/stages-rules.ts'
import type { ThresholdPolicies, ThresholdRule } from '../definition/thresholds.ts'

/** Computes the stage of a beat from its results. Pure: no clock, no database. */

export type { Stage } from '../definition/stages-rules.ts'

export const isIll = (stage: string | null): stage is 'warning' | 'critical' =>
  stage === 'warning' || stage === 'critical'

/** The result of one check, as far as the rules need it. */
export interface CheckSummary {
  ok: boolean
  latency_ms: number | null
  packet_loss: number | null
  certificate_days: number | null
}

/** The last results of each region, newest first. */
export type ResultsByRegion = Map<string, CheckSummary[]>

/** An unknown stage is less severe than healthy. */
export const severity = (stage: Stage | null) => (stage === null ? -1 : stages.indexOf(stage))

/** How many of the newest results of a region the rules need. */
export function depthOf(policies: ThresholdPolicies): number {
  const { warning_rule, critical_rule, recovery_rule } = policies
  const depths = [warning_rule, critical_rule].flatMap((rule) => [
    rule?.consecutive_failures ?? 0,
    rule?.failures_in_window?.checks ?? 0,
  ])
  return Math.max(1, recovery_rule?.consecutive_successes ?? 0, ...depths)
}

/**
 * The stage by the results. The stage gets worse as soon as a worse rule is met. It gets better only once every region with
 * results has recovered from the worse stage; until then it stays.
 */
export function stageFromResults(
  policies: ThresholdPolicies,
  regions: ResultsByRegion,
  current: Stage | null,
): Stage | null {
  if ([...regions.values()].every((results) => results.length === 0)) return current
  const found = worstMet(policies, regions)
  if (found === current) return current
  const better = found === 'healthy' || severity(found) < severity(current)
  return better && !hasRecovered(policies, regions, found) ? current : found
}

function worstMet(policies: ThresholdPolicies, regions: ResultsByRegion): Stage {
  const counted = countsFailures(policies)
  if (isMet(policies.critical_rule, regions, counted)) return 'critical'
  return isMet(policies.warning_rule, regions, counted) ? 'warning' : 'healthy'
}

/** Whether a rule counts failures. Otherwise a failed check meets every rule: its measurement counts as beyond any limit. */
const countsFailures = ({ warning_rule, critical_rule }: ThresholdPolicies) =>
  [warning_rule, critical_rule].some((rule) => rule?.consecutive_failures || rule?.failures_in_window)

function isMet(rule: ThresholdRule | undefined, regions: ResultsByRegion, counted: boolean): boolean {
  if (!rule) return false
  const failing = [...regions.values()].filter((results) => holds(rule, results, counted)).length
  return failing >= (rule.regions_failing ?? 1)
}

/** Any one condition suffices. */
function holds(rule: ThresholdRule, results: CheckSummary[], counted: boolean): boolean {
  const { consecutive_failures: failures, failures_in_window: window } = rule
  if (failures && results.length >= failures && results.slice(0, failures).every(({ ok }) => !ok)) return true
  if (window && results.slice(0, window.checks).filter(({ ok }) => !ok).length >= window.failures) return true
  const [newest] = results
  return newest !== undefined && (isBeyond(rule, newest) || (!counted && !newest.ok))
}

/** Whether a single result is beyond a limit of the rule. */
function isBeyond(rule: ThresholdRule, { latency_ms, packet_loss, certificate_days }: CheckSummary): boolean {
  const { latency_ms_over, packet_loss_over, certificate_days_under } = rule
  if (latency_ms_over !== undefined && latency_ms !== null && latency_ms > latency_ms_over) return true
  if (packet_loss_over !== undefined && packet_loss !== null && packet_loss > packet_loss_over) return true
  return certificate_days_under !== undefined && certificate_days !== null && certificate_days < certificate_days_under
}

/**
 * Whether each region has as many good results in a row as the recovery rule requires, by default one. For the stage warning
 * fewer critical regions than the critical rule requires are enough: the other regions may still fail.
 */
function hasRecovered(policies: ThresholdPolicies, regions: ResultsByRegion, to: Stage): boolean {
  const { recovery_rule, warning_rule, critical_rule } = policies
  const worse = [critical_rule, to === 'healthy' ? warning_rule : undefined].filter((rule) => rule !== undefined)
  const isGood = (result: CheckSummary) => result.ok && !worse.some((rule) => isBeyond(rule, result))
  const wanted = recovery_rule?.consecutive_successes ?? 1
  const lists = [...regions.values()].filter((results) => results.length > 0)
  const ill = lists.filter((results) => results.length < wanted || !results.slice(0, wanted).every(isGood))
  return ill.length < (to === 'warning' ? (critical_rule?.regions_failing ?? 1) : 1)
}

/** Whether this result contributes to meeting the rule of the stage. */
export function meetsRuleOf(policies: ThresholdPolicies, stage: 'warning' | 'critical', result: CheckSummary): boolean {
  const rule = policies[`${stage}_rule`] ?? {}
  const byFailures = rule.consecutive_failures || rule.failures_in_window || !countsFailures(policies)
  return isBeyond(rule, result) || (!result.ok && Boolean(byFailures))
}

/** The worst stage of the members of a group; members with an unknown stage do not count. */
export function worstStage(members: (Stage | null)[]): Stage | null {
  return members.reduce<Stage | null>((worst, stage) => (severity(stage) > severity(worst) ? stage : worst), null)
}
