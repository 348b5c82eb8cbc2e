import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, pagePolicies } from './columns.ts'

/** The state of a process after its last step. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'process',
  policies: pagePolicies(),
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
    /** The moment of the timer of the workflow, as of the last step. */
    timer_at: moment().strictNullable(),
    /** Why the last step failed, and since when all steps have failed; null after a successful step. */
    problem: p.text().strictNullable(),
    problem_since: moment().strictNullable(),
    started_at: moment(),
    updated_at: moment(),
  },
})
export type Process = InferEntity<typeof Process>
