import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, moment, pagePolicies } from './columns.ts'

/** The beats of a region that one lease checks. The revision rises when a beat is added, changed or removed. */
export const CheckShard = defineEntity({
  name: 'CheckShard',
  tableName: 'check_shard',
  policies: pagePolicies().filter(({ roles }) => !roles.includes(APP_ROLE)),
  properties: {
    region: p.text().primary(),
    number: p.integer().primary().autoincrement(false),
    revision: p.bigint('number'),
    /** The process with the lease. A process that reads another holder stops its checks of the shard. */
    holder: p.text().strictNullable(),
    updated_at: moment(),
  },
})
export type CheckShard = InferEntity<typeof CheckShard>
