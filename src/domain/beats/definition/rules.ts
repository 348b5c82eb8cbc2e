import type { FieldError } from '../../kernel/errors.ts'
import type { ActionPolicies } from './policies.ts'
import type { ThresholdPolicies } from './thresholds.ts'

/** The rules for a beat or a group before it is saved. */

export const DEFAULT_INTERVAL_SECONDS = 60
const LONGEST_DEFAULT_TIMEOUT_MS = 10_000

/** The default timeout of a check ends at the latest at the next check. */
export const defaultTimeoutMs = (intervalSeconds: number) =>
  Math.min(LONGEST_DEFAULT_TIMEOUT_MS, intervalSeconds * 1000)

/** Whether any of the policies posts in public. */
export const isCustomerFacing = (policies: ActionPolicies): boolean =>
  Object.values(policies).some((policy) => policy?.public_post === true)

interface Affecting {
  action_policies: ActionPolicies
  affected_items_freetext: string | null
}

/** A public post names the affected items. `mapped` counts the items, for a group with those of its members. */
export function affectedProblems({ action_policies, affected_items_freetext }: Affecting, mapped: number) {
  if (!isCustomerFacing(action_policies) || mapped > 0 || affected_items_freetext) return []
  const message = 'a public_post needs component_ids, component_refs, affected_items_freetext, or several of these'
  return [{ path: 'component_ids', message }]
}

interface Evaluated {
  type: string
  threshold_policies: ThresholdPolicies
}

/** A beat that workers check needs a threshold rule; calls or events set the stage of other beats. */
export function thresholdProblems({ threshold_policies: rules }: Evaluated, reported: boolean): FieldError[] {
  if (reported || rules.warning_rule || rules.critical_rule) return []
  return [{ path: 'threshold_policies', message: 'needs a warning_rule or a critical_rule' }]
}

/** No worker checks a reported beat, so an interval is refused. The default may be sent back as it was read. */
export function intervalProblems(type: string, requested: unknown, schedule: string | undefined): FieldError[] {
  if (requested === undefined || requested === DEFAULT_INTERVAL_SECONDS) return []
  const instead = schedule === undefined ? '' : `: ${schedule}`
  return [{ path: 'interval_seconds', message: `no worker checks a beat of the type ${type}${instead}` }]
}

interface Measured {
  public_metrics_enabled: boolean
  public_metrics_component_id: number | null
}

/** The item at which readers see the metrics of a beat: the named item, else the first; null without public metrics. */
export function metricsComponent(
  { public_metrics_enabled, public_metrics_component_id: id }: Measured,
  mapped: number[],
) {
  if (id !== null && mapped.includes(id)) return id
  return public_metrics_enabled ? (mapped[0] ?? null) : null
}

export function metricsProblems(
  { public_metrics_enabled }: Measured,
  mapped: number[],
  requested: number | null | undefined,
): FieldError[] {
  if (typeof requested === 'number' && !mapped.includes(requested)) {
    return [{ path: 'public_metrics_component_id', message: `item ${requested} is not a mapped item of the beat` }]
  }
  if (!public_metrics_enabled || mapped.length > 0) return []
  return [{ path: 'component_ids', message: 'public metrics need a mapped item' }]
}

/**
 * Ids and references name one list. If one of two different lists equals the stored list, the client has sent that list back
 * as it was read, and the other list counts; otherwise the items of both lists count.
 */
export function agreed(stored: number[], byId: number[] | undefined, byReference: number[] | undefined): number[] {
  if (!byId || !byReference) return byId ?? byReference ?? stored
  const same = (a: number[], b: number[]) => a.length === b.length && a.every((one) => b.includes(one))
  if (same(byReference, stored)) return byId
  if (same(byId, stored)) return byReference
  return [...new Set([...byId, ...byReference])]
}
