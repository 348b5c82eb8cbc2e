import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const MaintenanceUpdate = defineEntity({
  name: 'MaintenanceUpdate',
  tableName: 'maintenance_update',
  policies: pagePolicies(),
  indexes: [
    { name: 'maintenance_update_maintenance_idx', properties: ['page_id', 'maintenance_id', 'id'] },
    { name: 'maintenance_update_created_idx', properties: ['page_id', 'created_at', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    maintenance_id: p.integer(),
    message: p.text(),
    status: p.text(),
    previous_status: p.text(),
    lifecycle_stage_id: p.integer().strictNullable(),
    /** The scheduled moment of an update by the schedule; null for an update by a person. */
    due_at: moment().strictNullable(),
    late: p.boolean(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type MaintenanceUpdate = InferEntity<typeof MaintenanceUpdate>
