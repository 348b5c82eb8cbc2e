import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** The time during which an incident affects an item. Without a status of its own, the item has the status of the incident. */
export const IncidentImpact = defineEntity({
  name: 'IncidentImpact',
  tableName: 'incident_impact',
  policies: pagePolicies(),
  indexes: [
    { name: 'incident_impact_incident_idx', properties: ['page_id', 'incident_id'] },
    {
      name: 'incident_impact_open_key',
      expression:
        'create unique index "incident_impact_open_key" on "incident_impact" ("page_id", "item_id", "incident_id") where (end_time is null)',
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    incident_id: p.integer(),
    item_id: p.integer(),
    status: p.text().strictNullable(),
    /** The status at the end of the impact, which no later change of the incident rewrites. */
    ended_status: p.text().strictNullable(),
    start_time: moment(),
    end_time: moment().strictNullable(),
    /** The impact ended with the present resolution of the incident: reopening the incident begins a new impact. */
    ended_by_resolution: p.boolean(),
  },
})
export type IncidentImpact = InferEntity<typeof IncidentImpact>
