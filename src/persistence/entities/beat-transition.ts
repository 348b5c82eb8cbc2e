import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** The event behind a transition, for people who review what followed. */
export interface EventSource {
  source_id: number
  source_name: string
  source_external_id?: string
  provider_type: string
  inbox_event_id: number
  trigger_id: number
  trigger_name: string
  trigger_external_id?: string
  fingerprint: string
  target_stage: string
  admin_path: string
}

/** A change of the stage of a beat or a group. A repeated report has the same `cause_key` and writes no second transition. */
export const BeatTransition = defineEntity({
  name: 'BeatTransition',
  tableName: 'beat_transition',
  policies: pagePolicies(),
  uniques: [
    { name: 'beat_transition_number_key', properties: ['page_id', 'owner_kind', 'owner_id', 'number'] },
    { name: 'beat_transition_cause_key', properties: ['page_id', 'owner_kind', 'owner_id', 'cause_key'] },
    { name: 'beat_transition_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    owner_kind: p.text().$type<'beat' | 'beat_group'>(),
    owner_id: p.integer(),
    /** Counts from 1 without gaps. */
    number: p.integer(),
    from_stage: p.text().strictNullable(),
    to_stage: p.text(),
    at: moment(),
    /** The cause in words, and its natural key: region and due moment of a check, id of an event, moment of a missed call. */
    cause: p.text(),
    cause_key: p.text(),
    evidence: p.text(),
    /** Facts for the variables of messages. */
    facts: json<{
      latency_ms?: number
      status_code?: number
      region?: string
      /** For a group: the member that gives the group this stage. */
      beat_id?: number
      /** For an event of another system: what the event was, and how a trigger limits public posts. */
      source?: EventSource
      public_post_mode?: 'draft_only' | 'automatic'
    }>(),
    /** The actions of the transition, each in words and with the created record. */
    actions: json<Record<string, unknown>[]>(),
    not_acted_because: p.text().strictNullable(),
  },
})
export type BeatTransition = InferEntity<typeof BeatTransition>
