import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** What a trigger made of an event, or of one element of the event, and why. */
export const EventEvaluation = defineEntity({
  name: 'EventEvaluation',
  tableName: 'event_evaluation',
  policies: pagePolicies(),
  uniques: [{ name: 'event_evaluation_key', properties: ['page_id', 'event_id', 'trigger_id', 'element'] }],
  indexes: [
    { name: 'event_evaluation_trigger_idx', properties: ['page_id', 'trigger_id', 'external_event_id'] },
    { name: 'event_evaluation_event_idx', properties: ['page_id', 'trigger_id', 'event_id'] },
    { name: 'event_evaluation_outcome_idx', properties: ['page_id', 'outcome', 'event_id'] },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    event_id: p.bigint('number'),
    trigger_id: p.integer(),
    trigger_version: p.integer(),
    /** The index of the element at `each_path`; 0 without one. */
    element: p.integer(),
    outcome: p.text(),
    leaf: p.text().strictNullable(),
    stage: p.text().strictNullable(),
    fingerprint: p.text().strictNullable(),
    external_event_id: p.text().strictNullable(),
    observed_at: moment().strictNullable(),
    explanation: p.text(),
    /** The transitions that followed, by beat and number. */
    transitions: json<{ beat_id: number; number: number }[]>(),
  },
})
export type EventEvaluation = InferEntity<typeof EventEvaluation>
