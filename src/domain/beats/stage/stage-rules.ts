import type { ThresholdPolicies, ThresholdRule } from '../definition/thresholds.ts'

/** Which stage a beat is in, decided from what was stored of it. Pure: no clock, no database. */

/** Mildest first. */
export const stages = ['healthy', 'warning', 'critical'] as const
export type Stage = (typeof stages)[number]

export const isIll = (stage: string | null): stage is 'warning' | 'critical' =>
  stage === 'warning' || stage === 'critical'

/** What one check saw. */
export interface CheckSummary {
  ok: boolean
  latency_ms: number | null
  packet_loss: number | null
  certificate_days: number | null
}

/** The last results of each region, newest first. */
export type ResultsByRegion = Map<string, CheckSummary[]>

/** Not known yet is less than healthy. */
export const severity = (stage: Stage | null) => (stage === null ? -1 : stages.indexOf(stage))

/** How many of the newest results of a region a judgement may look at. */
export function depthOf(policies: ThresholdPolicies): number {
  const { warning_rule, critical_rule, recovery_rule } = policies
  const depths = [warning_rule, critical_rule].flatMap((rule) => [
    rule?.consecutive_failures ?? 0,
    rule?.failures_in_window?.checks ?? 0,
  ])
  return Math.max(1, recovery_rule?.consecutive_successes ?? 0, ...depths)
}

/**
 * The stage that the results say the beat is in. It gets worse as soon as a worse rule is met, and better only once
 * every region that has results has recovered from what is worse: what lies between is left as it is.
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

/** Where no rule does, a check that fails meets each of them: what it would have measured is beyond every limit. */
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

/** What a single result can show. */
function isBeyond(rule: ThresholdRule, { latency_ms, packet_loss, certificate_days }: CheckSummary): boolean {
  const { latency_ms_over, packet_loss_over, certificate_days_under } = rule
  if (latency_ms_over !== undefined && latency_ms !== null && latency_ms > latency_ms_over) return true
  if (packet_loss_over !== undefined && packet_loss !== null && packet_loss > packet_loss_over) return true
  return certificate_days_under !== undefined && certificate_days !== null && certificate_days < certificate_days_under
}

/**
 * One result of each region that shows nothing worse than this, or as many as the recovery rule asks for. To be in
 * warning, it is enough that fewer regions show what is critical than its rule asks for: others may go on failing.
 */
function hasRecovered(policies: ThresholdPolicies, regions: ResultsByRegion, to: Stage): boolean {
  const { recovery_rule, warning_rule, critical_rule } = policies
  const worse = [critical_rule, to === 'healthy' ? warning_rule : undefined].filter((rule) => rule !== undefined)
  const isGood = (seen: CheckSummary) => seen.ok && !worse.some((rule) => isBeyond(rule, seen))
  const wanted = recovery_rule?.consecutive_successes ?? 1
  const lists = [...regions.values()].filter((results) => results.length > 0)
  const ill = lists.filter((results) => results.length < wanted || !results.slice(0, wanted).every(isGood))
  return ill.length < (to === 'warning' ? (critical_rule?.regions_failing ?? 1) : 1)
}

/** Whether this result is one of those by which the rule of an ill stage is met. */
export function meetsRuleOf(policies: ThresholdPolicies, stage: 'warning' | 'critical', seen: CheckSummary): boolean {
  const rule = policies[`${stage}_rule`] ?? {}
  const byFailures = rule.consecutive_failures || rule.failures_in_window || !countsFailures(policies)
  return isBeyond(rule, seen) || (!seen.ok && Boolean(byFailures))
}

/** A group is as ill as the worst of its members; one that has not been checked yet says nothing. */
export function worstStage(members: (Stage | null)[]): Stage | null {
  return members.reduce<Stage | null>((worst, stage) => (severity(stage) > severity(worst) ? stage : worst), null)
}
