import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const IncidentUpdate = defineEntity({
  name: 'IncidentUpdate',
  tableName: 'incident_update',
  policies: pagePolicies(),
  indexes: [
    { name: 'incident_update_incident_idx', properties: ['page_id', 'incident_id', 'id'] },
    { name: 'incident_update_created_idx', properties: ['page_id', 'created_at', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    incident_id: p.integer(),
    message: p.text(),
    status: p.text(),
    previous_status: p.text(),
    is_resolution: p.boolean(),
    lifecycle_stage_id: p.integer().strictNullable(),
    /** The stage that the incident returns to if this update is deleted; not part of answers. */
    previous_lifecycle_stage_id: p.integer().strictNullable(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type IncidentUpdate = InferEntity<typeof IncidentUpdate>
