import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** A beat was created, changed or deleted. The assigner of shards reads and deletes the row. */
export const BeatChange = defineEntity({
  name: 'BeatChange',
  tableName: 'beat_change',
  policies: pagePolicies(),
  properties: {
    id: bigId(),
    page_id: pageId(),
    beat_id: p.integer(),
    created_at: moment(),
  },
})
export type BeatChange = InferEntity<typeof BeatChange>
