import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  policies: pagePolicies(),
  indexes: [{ name: 'audit_event_page_idx', properties: ['page_id', 'id'] }],
  properties: {
    id: bigId(),
    page_id: pageId(),
    at: moment(),
    operation: p.text(),
    actor_kind: p.text(),
    actor_id: p.integer().strictNullable(),
    actor_name: p.text(),
    subject_kind: p.text().strictNullable(),
    subject_id: p.integer().strictNullable(),
    request_id: p.text(),
    before: json<Record<string, unknown>>().strictNullable(),
    after: json<Record<string, unknown>>().strictNullable(),
  },
})
export type AuditEvent = InferEntity<typeof AuditEvent>
