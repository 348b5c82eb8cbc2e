import type { ThresholdPolicies, ThresholdRule } from '../../src/domain/beats/definition/thresholds.ts'
import { type CheckSummary, type Stage, stageFromResults } from '../../src/domain/beats/stage/stage-rules.ts'

/**
 * Computes from the results of one region whether an evaluation could change the stage of a beat. Only `evaluateResults`
 * decides a stage; a result that cannot change the stage costs no transaction.
 */

/** The state of a beat as the lease has last read it from the database. */
export interface Known {
  stage: Stage | null
  /** The stage is unknown for lack of results: any result ends that state. */
  unknown: boolean
}

export interface LocalPolicies {
  all: ThresholdPolicies
  critical: ThresholdPolicies
  warning: ThresholdPolicies
}

/** The policies with one failing region as the limit: a lease knows the results of its own region only. */
export function localPolicies(policies: ThresholdPolicies): LocalPolicies {
  const local = (rule: ThresholdRule | undefined) => rule && { ...rule, regions_failing: 1 }
  const { recovery_rule } = policies
  const [critical_rule, warning_rule] = [local(policies.critical_rule), local(policies.warning_rule)]
  return {
    all: { critical_rule, warning_rule, recovery_rule },
    critical: { critical_rule, recovery_rule },
    warning: { warning_rule, recovery_rule },
  }
}

export interface LocalStage {
  /** Whether an evaluation may result in another stage than the known stage. */
  differs: boolean
  /** Everything that `differs` depends on: with the same key, a further evaluation would have the same outcome. */
  key: string
}

export function localStageOf(policies: LocalPolicies, tail: CheckSummary[], { stage, unknown }: Known): LocalStage {
  const regions = new Map([['here', tail]])
  const met = (which: ThresholdPolicies) => stageFromResults(which, regions, null)
  return {
    differs: unknown || stageFromResults(policies.all, regions, stage) !== stage,
    key: `${met(policies.critical)} ${met(policies.warning)} ${stage} ${unknown}`,
  }
}
