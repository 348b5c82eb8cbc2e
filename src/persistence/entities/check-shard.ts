import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, moment, wall } from './columns.ts'

/** Beats of a region that one lease checks. The revision rises when any of them is new, another or gone. */
export const CheckShard = defineEntity({
  name: 'CheckShard',
  tableName: 'check_shard',
  policies: wall().filter(({ roles }) => !roles.includes(APP_ROLE)),
  properties: {
    region: p.text().primary(),
    number: p.integer().primary().autoincrement(false),
    revision: p.bigint('number'),
    /** The process that has the lease. Another one that held it before sees here that it must stop. */
    holder: p.text().strictNullable(),
    updated_at: moment(),
  },
})
export type CheckShard = InferEntity<typeof CheckShard>
