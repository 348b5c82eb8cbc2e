import type { ThresholdPolicies, ThresholdRule } from '../definition/thresholds.ts'
import { type Stage, stageFromResults } from '../stage/stage-rules.ts'

/** The last run of equal results: failures (reported or missed calls) or successes. One of the two numbers is 0. */
export interface Run {
  failures: number
  successes: number
}

/** Threshold rules count at most this many results. */
const MOST = 100

/**
 * The stage of a heartbeat by its rules; without a rule that counts failures, the first failure is critical. Only the last
 * run is known, so `failures_in_window` needs that many failures in a row, and there are no regions.
 */
export function stageOf(policies: ThresholdPolicies, run: Run, current: Stage | null): Stage | null {
  const ok = run.failures === 0
  const seen = { ok, latency_ms: null, packet_loss: null, certificate_days: null }
  const results = Array(Math.min(ok ? run.successes : run.failures, MOST)).fill(seen)
  return stageFromResults(withDefault(policies), new Map([['', results]]), current)
}

function withDefault({ warning_rule, critical_rule, recovery_rule }: ThresholdPolicies): ThresholdPolicies {
  const [warning, critical] = [counting(warning_rule), counting(critical_rule)]
  const first = warning || critical ? {} : { critical_rule: { consecutive_failures: 1 } }
  return {
    ...(warning && { warning_rule: warning }),
    ...(critical && { critical_rule: critical }),
    ...first,
    ...(recovery_rule && { recovery_rule }),
  }
}

function counting(rule: ThresholdRule | undefined): ThresholdRule | undefined {
  const { consecutive_failures, failures_in_window } = rule ?? {}
  if (consecutive_failures === undefined && failures_in_window === undefined) return undefined
  return { ...(consecutive_failures && { consecutive_failures }), ...(failures_in_window && { failures_in_window }) }
}
