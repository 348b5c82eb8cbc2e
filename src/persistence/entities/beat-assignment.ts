import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, wall } from './columns.ts'

/** Which shard of a region checks a beat. Shards hold beats of many pages, so no page sees them. */
export const BeatAssignment = defineEntity({
  name: 'BeatAssignment',
  tableName: 'beat_assignment',
  policies: wall().filter(({ roles }) => !roles.includes(APP_ROLE)),
  indexes: [{ name: 'beat_assignment_shard_idx', properties: ['region', 'shard'] }],
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    region: p.text().primary(),
    shard: p.integer(),
  },
})
export type BeatAssignment = InferEntity<typeof BeatAssignment>
