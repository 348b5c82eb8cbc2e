import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** A public action of a beat or a group: a draft that waits for review, or an executed action. */
export const BeatAction = defineEntity({
  name: 'BeatAction',
  tableName: 'beat_action',
  policies: pagePolicies(),
  uniques: [{ name: 'beat_action_transition_key', properties: ['page_id', 'transition_id'] }],
  indexes: [
    { name: 'beat_action_owner_idx', properties: ['page_id', 'owner_kind', 'owner_id', 'id'] },
    { name: 'beat_action_state_idx', properties: ['page_id', 'state', 'id'] },
    { name: 'beat_action_incident_idx', properties: ['page_id', 'incident_id'] },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    owner_kind: p.text().$type<'beat' | 'beat_group'>(),
    owner_id: p.integer(),
    transition_id: p.bigint('number'),
    stage: p.text(),
    mode: p.text().$type<'draft_only' | 'automatic'>(),
    state: p.text().$type<'pending_review' | 'approved' | 'rejected' | 'executed' | 'superseded' | 'failed'>(),
    /** The post of the action, as composed at the change of the stage. */
    draft: json<Record<string, unknown>>(),
    incident_id: p.integer().strictNullable(),
    update_id: p.integer().strictNullable(),
    notification_event: p.text().strictNullable(),
    decision_note: p.text().strictNullable(),
    decided_by: p.text().strictNullable(),
    decided_at: moment().strictNullable(),
    /** Why the action was superseded or failed. */
    reason: p.text().strictNullable(),
    executed_at: moment().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type BeatAction = InferEntity<typeof BeatAction>
