import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, wall } from './columns.ts'

/** What a workflow is doing, as of its last step. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'process',
  policies: wall(),
  indexes: [
    { name: 'process_page_idx', properties: ['page_id', 'updated_at', 'workflow_id'] },
    { name: 'process_until_idx', properties: ['until'] },
  ],
  properties: {
    workflow_id: p.text().primary(),
    page_id: pageId(),
    kind: p.text(),
    subject_id: p.integer(),
    state: p.text().$type<'waiting' | 'running' | 'done' | 'stuck'>(),
    waiting_for: p.text().strictNullable(),
    until: moment().strictNullable(),
    /** The moment to which the timer of the workflow is set, as far as its last step knows. */
    timer_at: moment().strictNullable(),
    /** Why the last step failed, and since when each one has; nothing once a step has not. */
    problem: p.text().strictNullable(),
    problem_since: moment().strictNullable(),
    started_at: moment(),
    updated_at: moment(),
  },
})
export type Process = InferEntity<typeof Process>
