import type { ThresholdPolicies, ThresholdRule } from '../../src/domain/beats/definition/thresholds.ts'
import { type CheckSummary, type Stage, stageFromResults } from '../../src/domain/beats/stage/stage-rules.ts'

/**
 * What a lease thinks of a beat, from what its own region has seen. It decides nothing: it says when to ask the one
 * function that does, so that what changes nothing costs no transaction.
 */

/** What of a beat the lease knows from the database. */
export interface Known {
  stage: Stage | null
  /** Nobody reported on it for a while: any result ends that. */
  unknown: boolean
}

export interface LocalPolicies {
  all: ThresholdPolicies
  critical: ThresholdPolicies
  warning: ThresholdPolicies
}

/** As if one region were enough: how many fail is known only where all of them are. */
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
  /** Whether the one who decides may see something else than what is known. */
  differs: boolean
  /** All that the answer depends on: while it is the same, to ask again would bring nothing new. */
  key: string
}

export function localStageOf(policies: LocalPolicies, tail: CheckSummary[], { stage, unknown }: Known): LocalStage {
  const heard = new Map([['here', tail]])
  const met = (which: ThresholdPolicies) => stageFromResults(which, heard, null)
  return {
    differs: unknown || stageFromResults(policies.all, heard, stage) !== stage,
    key: `${met(policies.critical)} ${met(policies.warning)} ${stage} ${unknown}`,
  }
}
