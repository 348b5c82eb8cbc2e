import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** The token that asked or confirmed, as it was at that moment. */
export interface StoredActor {
  id: number
  name: string
  permission: 'read' | 'write' | 'admin'
  role_key: string
}

/** A message for the agent, its answer, and what became of the answer. */
export const DelegationTurn = defineEntity({
  name: 'DelegationTurn',
  tableName: 'delegation_turn',
  policies: pagePolicies(),
  uniques: [
    { name: 'delegation_turn_message_key', properties: ['page_id', 'chat_app_id', 'message_key'] },
    { name: 'delegation_turn_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [
    { name: 'delegation_turn_thread_idx', properties: ['page_id', 'chat_app_id', 'thread_key', 'id'] },
    { name: 'delegation_turn_response_idx', properties: ['page_id', 'response_key'] },
    { name: 'delegation_turn_created_idx', properties: ['created_at'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    /** Empty for a bot without an id. */
    chat_app_id: p.text(),
    message_key: p.text().strictNullable(),
    thread_key: p.text().strictNullable(),
    query: p.text(),
    /** The other fields of the request, which are stored for audit. */
    asked: json<Record<string, unknown>>(),
    asker: json<StoredActor>(),
    /** The levels of the asking token in each area: an answer is replayed only to a token that has them. */
    reach: json<Record<string, string>>(),
    state: p.text().$type<'processing' | 'answered'>(),
    /** Until when a process that computes the answer keeps others from the same work. */
    claimed_until: moment().strictNullable(),
    answer: json<Record<string, unknown>>().strictNullable(),
    /** What later turns of the thread may refer to. */
    memory: json<Record<string, unknown>>().strictNullable(),
    created_at: moment(),
    answered_at: moment().strictNullable(),
    response_key: p.text().strictNullable(),
    delivered_at: moment().strictNullable(),
    delivery: json<Record<string, unknown>>().strictNullable(),
    rating: p.text().$type<'positive' | 'negative'>().strictNullable(),
    rating_reason: p.text().strictNullable(),
    rated_at: moment().strictNullable(),
  },
})
export type DelegationTurn = InferEntity<typeof DelegationTurn>
