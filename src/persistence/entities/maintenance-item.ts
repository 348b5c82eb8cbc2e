import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, pageId, pagePolicies } from './columns.ts'

/** An affected item of a maintenance. */
export const MaintenanceItem = defineEntity({
  name: 'MaintenanceItem',
  tableName: 'maintenance_item',
  policies: pagePolicies(),
  uniques: [{ name: 'maintenance_item_key', properties: ['page_id', 'maintenance_id', 'item_id'] }],
  indexes: [{ name: 'maintenance_item_item_idx', properties: ['page_id', 'item_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    maintenance_id: p.integer(),
    item_id: p.integer(),
  },
})
export type MaintenanceItem = InferEntity<typeof MaintenanceItem>
