import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'
import type { StoredActor } from './delegation-turn.ts'

/** The record that a step changes, as it was when the plan was drafted. */
export interface ExpectedRecord {
  kind: string
  id: number
  version?: number
  snapshot: Record<string, unknown>
}

export interface StoredPlanStep {
  id: string
  operation: string
  ref?: { id: number }
  /** Encrypted, because the input of an operation may contain secrets. */
  sealed_input: { key_id: string; ciphertext: string }
  /** Without the values of secret names. */
  input: Record<string, unknown>
  effect: string
  expected?: ExpectedRecord
  status: 'pending' | 'done' | 'failed' | 'skipped'
  result?: { kind: string; id: number; version?: number }
  error?: string
}

export interface StoredQuestion {
  key: string
  prompt: string
  kind: string
  options?: { value: string; label: string }[]
  required: boolean
  answer?: unknown
}

export interface PlanConflict {
  kind: string
  id: number
  field: string
  was: unknown
  is: unknown
}

export type PlanStatus =
  | 'needs_input'
  | 'ready'
  | 'executing'
  | 'executed'
  | 'failed'
  | 'conflicted'
  | 'expired'
  | 'cancelled'

/** Operations that wait for a confirmation. */
export const ActionPlan = defineEntity({
  name: 'ActionPlan',
  tableName: 'action_plan',
  policies: pagePolicies(),
  uniques: [{ name: 'action_plan_turn_key', properties: ['page_id', 'turn_id'] }],
  indexes: [{ name: 'action_plan_created_idx', properties: ['created_at'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    turn_id: p.integer().strictNullable(),
    status: p.text().$type<PlanStatus>(),
    summary: p.text(),
    steps: json<StoredPlanStep[]>(),
    questions: json<StoredQuestion[]>(),
    conflicts: json<PlanConflict[]>(),
    /** The understood request, from which the plan is drafted again with answers; a plan of given steps has none. */
    request: json<{ intent: string; slots: Record<string, unknown>; asked_at: string }>().strictNullable(),
    /** The answers that the plan is not drafted with yet. */
    new_answers: json<Record<string, unknown>>().strictNullable(),
    asker: json<StoredActor>(),
    reach: json<Record<string, string>>(),
    created_at: moment(),
    expires_at: moment(),
    confirmed_at: moment().strictNullable(),
    confirmer: json<StoredActor>().strictNullable(),
    /** Why the plan was cancelled, expired or failed. */
    ended_because: p.text().strictNullable(),
    version: p.integer(),
  },
})
export type ActionPlan = InferEntity<typeof ActionPlan>
