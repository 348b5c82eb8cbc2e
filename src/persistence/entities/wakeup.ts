import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** A fact has changed and a process must take a step. The step deletes the row; the relay never does. */
export const Wakeup = defineEntity({
  name: 'Wakeup',
  tableName: 'wakeup',
  policies: pagePolicies(),
  indexes: [
    { name: 'wakeup_workflow_idx', properties: ['workflow_id'] },
    { name: 'wakeup_send_idx', properties: ['next_send_at'] },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    workflow_id: p.text(),
    reason: p.text(),
    created_at: moment(),
    sent_at: moment().strictNullable(),
    attempts: p.integer(),
    next_send_at: moment(),
  },
})
export type Wakeup = InferEntity<typeof Wakeup>
