import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A status of items, incidents and maintenances. `display_order` is the severity. */
export const StatusType = defineEntity({
  name: 'StatusType',
  tableName: 'status_type',
  policies: pagePolicies(),
  uniques: [{ name: 'status_type_key_key', properties: ['page_id', 'key'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    key: p.text(),
    name: p.text(),
    description: p.text(),
    icon: p.text(),
    color: p.text(),
    is_operational: p.boolean(),
    /** The share of time in this status that counts as downtime, from 0 to 1. */
    uptime_weight: p.float().columnType('double precision'),
    /** null if the weight never changed. */
    weight_changed_at: moment().strictNullable(),
    archived: p.boolean(),
    display_order: p.integer(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type StatusType = InferEntity<typeof StatusType>
