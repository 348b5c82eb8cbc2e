import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, wall } from './columns.ts'

/** A member of whom a group has told that it is ill. It may be switched off, elsewhere or deleted by now. */
export interface Told {
  beat_id: number
  name: string
  stage: 'warning' | 'critical'
  /** What it stood for then. */
  items: number[]
  /** It was deleted, and nobody knows whether it works again. */
  gone?: true
  /** Somebody has ended the incident that told of it: it is told of again only once it is worse, or was well meanwhile. */
  ended?: true
}

/** Beats that are told of together: the group is as ill as the worst of them, and the public actions are its own. */
export const BeatGroup = defineEntity({
  name: 'BeatGroup',
  tableName: 'beat_group',
  policies: wall(),
  uniques: [
    { name: 'beat_group_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'beat_group_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    name: p.text(),
    description: p.text(),
    external_id: p.text().strictNullable(),
    create_hash: p.text().strictNullable(),
    impact: p.text().strictNullable(),
    affected_items_freetext: p.text().strictNullable(),
    automation_paused: p.boolean(),
    automation_pause_reason: p.text().strictNullable(),
    muted_until: moment().strictNullable(),
    message_source_mode: p.text().$type<'group' | 'member'>(),
    action_policies: json<Record<string, unknown>>(),
    message_policies: json<Record<string, unknown>>(),
    current_stage: p.text().strictNullable(),
    flapping_since: moment().strictNullable(),
    transition_number: p.integer(),
    settled_number: p.integer(),
    acted_stage: p.text().strictNullable(),
    last_evidence_summary: p.text().strictNullable(),
    last_state_changed_at: moment().strictNullable(),
    last_transition_from_stage: p.text().strictNullable(),
    last_transition_to_stage: p.text().strictNullable(),
    last_action_created_at: moment().strictNullable(),
    current_incident_id: p.integer().strictNullable(),
    /** The members that its public actions tell of, as they were when they were last heard. */
    told: json<Told[]>(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type BeatGroup = InferEntity<typeof BeatGroup>
