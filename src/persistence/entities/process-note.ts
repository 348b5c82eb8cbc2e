import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** One sentence in the history of a process: what happened and why. */
export const ProcessNote = defineEntity({
  name: 'ProcessNote',
  tableName: 'process_note',
  policies: pagePolicies(),
  indexes: [{ name: 'process_note_workflow_idx', properties: ['page_id', 'workflow_id', 'id'] }],
  properties: {
    id: bigId(),
    page_id: pageId(),
    workflow_id: p.text(),
    at: moment(),
    cause: p.text(),
    message: p.text(),
  },
})
export type ProcessNote = InferEntity<typeof ProcessNote>
