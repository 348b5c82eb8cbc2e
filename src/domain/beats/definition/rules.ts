import type { FieldError } from '../../kernel/errors.ts'
import type { ActionPolicies } from './policies.ts'
import type { ThresholdPolicies } from './thresholds.ts'

/** What must hold of a beat or a group before it is saved. */

export const DEFAULT_INTERVAL_SECONDS = 60
const LONGEST_DEFAULT_TIMEOUT_MS = 10_000

/** Unless somebody says how long a check may take: no longer than until the next one. */
export const defaultTimeoutMs = (intervalSeconds: number) =>
  Math.min(LONGEST_DEFAULT_TIMEOUT_MS, intervalSeconds * 1000)

/** Whether anything that it does is seen by customers. */
export const isCustomerFacing = (policies: ActionPolicies): boolean =>
  Object.values(policies).some((policy) => policy?.public_post === true)

interface Affecting {
  action_policies: ActionPolicies
  affected_items_freetext: string | null
}

/** Customers are told what is affected. `mapped` counts the items, also those that members of a group stand for. */
export function affectedProblems({ action_policies, affected_items_freetext }: Affecting, mapped: number) {
  if (!isCustomerFacing(action_policies) || mapped > 0 || affected_items_freetext) return []
  const message = 'a public_post needs component_ids, component_refs, affected_items_freetext, or several of these'
  return [{ path: 'component_ids', message }]
}

interface Judged {
  type: string
  threshold_policies: ThresholdPolicies
}

/** What its checks see must be able to change its stage; of others the other side says it. */
export function thresholdProblems({ threshold_policies: rules }: Judged, reported: boolean): FieldError[] {
  if (reported || rules.warning_rule || rules.critical_rule) return []
  return [{ path: 'threshold_policies', message: 'needs a warning_rule or a critical_rule' }]
}

/** Nobody checks a beat that is reported: whoever says how often means something else. What was read may be sent back. */
export function intervalProblems(type: string, said: unknown): FieldError[] {
  if (said === undefined || said === DEFAULT_INTERVAL_SECONDS) return []
  const instead = type === 'heartbeat' ? ': when it is to call is said by its target, as period_seconds or cron' : ''
  return [{ path: 'interval_seconds', message: `a beat of the type ${type} is not checked${instead}` }]
}

interface Measured {
  public_metrics_enabled: boolean
  public_metrics_component_id: number | null
}

/** At which of its items readers see its metrics: the one that was named, else the first; none while they see none. */
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
  said: number | null | undefined,
): FieldError[] {
  if (typeof said === 'number' && !mapped.includes(said)) {
    return [{ path: 'public_metrics_component_id', message: `item ${said} is not among the mapped ones` }]
  }
  if (!public_metrics_enabled || mapped.length > 0) return []
  return [{ path: 'component_ids', message: 'public metrics need a mapped item' }]
}

/**
 * Ids and references name one list. Of two that differ, the one that says what is stored was read, and the other is
 * what is wanted; else both are meant.
 */
export function agreed(stored: number[], byId: number[] | undefined, byReference: number[] | undefined): number[] {
  if (!byId || !byReference) return byId ?? byReference ?? stored
  const same = (a: number[], b: number[]) => a.length === b.length && a.every((one) => b.includes(one))
  if (same(byReference, stored)) return byId
  if (same(byId, stored)) return byReference
  return [...new Set([...byId, ...byReference])]
}
