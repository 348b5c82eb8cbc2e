import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, pageId, pagePolicies } from './columns.ts'

/** An affected item of the maintenances of a series. */
export const MaintenanceSeriesItem = defineEntity({
  name: 'MaintenanceSeriesItem',
  tableName: 'maintenance_series_item',
  policies: pagePolicies(),
  uniques: [{ name: 'maintenance_series_item_key', properties: ['page_id', 'series_id', 'item_id'] }],
  indexes: [{ name: 'maintenance_series_item_item_idx', properties: ['page_id', 'item_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    series_id: p.integer(),
    item_id: p.integer(),
  },
})
export type MaintenanceSeriesItem = InferEntity<typeof MaintenanceSeriesItem>
