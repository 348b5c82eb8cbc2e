import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, pagePolicies } from './columns.ts'

/** The shard of a region that checks a beat. Shards have beats of many pages, so the app role sees no shards. */
export const BeatAssignment = defineEntity({
  name: 'BeatAssignment',
  tableName: 'beat_assignment',
  policies: pagePolicies().filter(({ roles }) => !roles.includes(APP_ROLE)),
  indexes: [{ name: 'beat_assignment_shard_idx', properties: ['region', 'shard'] }],
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    region: p.text().primary(),
    shard: p.integer(),
  },
})
export type BeatAssignment = InferEntity<typeof BeatAssignment>
