import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, json, moment, pageId, pagePolicies } from './columns.ts'

/** A request to a process, and its answer. */
export const ProcessRequest = defineEntity({
  name: 'ProcessRequest',
  tableName: 'process_request',
  policies: pagePolicies(),
  indexes: [
    {
      name: 'process_request_open_idx',
      expression:
        'create index "process_request_open_idx" on "process_request" ("page_id", "workflow_id") where (answered_at is null)',
    },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    workflow_id: p.text(),
    kind: p.text(),
    input: json<Record<string, unknown>>(),
    answer: json<Record<string, unknown>>().strictNullable(),
    created_at: moment(),
    answered_at: moment().strictNullable(),
  },
})
export type ProcessRequest = InferEntity<typeof ProcessRequest>
